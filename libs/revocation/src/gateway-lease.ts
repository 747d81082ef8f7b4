import type { Clock } from './clock.ts';

/** The response of keys to a gateway that requests or renews its lease. */
type LeaseResponse = { granted: true; durationMs: number } | { granted: false };

interface GatewayLeaseOptions {
  clock: Clock;
  /** An id for one membership, never reused. */
  newId: () => string;
  /**
   * Asks keys to record the lease: a new one to join, else the current one, which keys refuses when it expired or was
   * fenced. Throws when keys cannot be reached.
   */
  renew: (gatewayId: string, joining: boolean) => Promise<LeaseResponse>;
  /** Called when the lease is lost, before anything else happens: caches are cleared, connections closed. */
  onLost: () => void;
  renewEveryMs: number;
  /** How far the gateway's clock may drift from the database's over one lease. */
  marginMs: number;
}

/** A gateway's right to use what it has cached about credentials. */
export interface GatewayLease {
  /** The membership; another one after each loss and each attempt to join. */
  id(): string;
  /**
   * This process's memberships, the latest first: an acknowledgement holds for the first, and the others are lost, with
   * all that was cached under them.
   */
  memberships(): readonly string[];
  /** True while what this gateway has cached may be used. */
  isLive(): boolean;
  /** How long it remains usable without a renewal, in milliseconds. */
  remainingMs(): number;
  /** Settles when keys responded for the first time, or could not be reached. */
  requested: Promise<void>;
  /** Treats the lease as lost. */
  lose(): void;
  close(): Promise<void>;
}

/** Without a lease every request is a lookup at keys: joining is attempted so many times as often as renewing. */
const REJOIN_SHARE = 5;
const WATCH_MS = 500;
/** More than can begin before one lease expires. */
const MEMBERSHIPS_MAX = 64;

interface Grant {
  sentMonotonicMs: number;
  sentWallMs: number;
  usableMs: number;
}

/**
 * Maintains a lease after Gray and Cheriton 1989: measured from before it was requested, by whichever clock says that
 * more time has passed, less a margin, so that this gateway never believes in it longer than keys does. A gateway that
 * lost it joins again under another id with empty caches.
 */
export function maintainLease(options: GatewayLeaseOptions): GatewayLease {
  const { clock } = options;
  const closed = new AbortController();
  let memberships = [options.newId()];
  let grant: Grant | null = null;

  const beginMembership = () => {
    memberships = [options.newId(), ...memberships].slice(0, MEMBERSHIPS_MAX);
  };
  const lose = () => {
    beginMembership();
    grant = null;
    options.onLost();
  };
  const remainingMs = () => {
    if (grant === null) return 0;
    const elapsed = Math.max(clock.monotonicMs() - grant.sentMonotonicMs, clock.wallMs() - grant.sentWallMs);
    if (elapsed < grant.usableMs) return grant.usableMs - elapsed;
    lose();
    return 0;
  };

  const renew = async () => {
    // An attempt to join whose response was lost may have been recorded; it is not repeated under the same id.
    if (grant === null) beginMembership();
    const id = memberships[0]!;
    const sent = { sentMonotonicMs: clock.monotonicMs(), sentWallMs: clock.wallMs() };
    const response = await options.renew(id, grant === null).catch(() => null);
    // The membership was lost meanwhile, or keys could not be reached and what is left of the lease still holds.
    if (id !== memberships[0] || response === null) return;
    if (!response.granted) return lose();
    grant = { ...sent, usableMs: response.durationMs - options.marginMs };
    remainingMs();
  };
  const firstRequest = Promise.withResolvers<void>();
  const renewing = (async () => {
    while (!closed.signal.aborted) {
      await renew();
      firstRequest.resolve();
      await clock.sleep(remainingMs() > 0 ? options.renewEveryMs : options.renewEveryMs / REJOIN_SHARE, closed.signal);
    }
  })();
  // Connections close as the lease expires, and not with the next request or the response to a renewal that hangs.
  const watching = (async () => {
    while (!closed.signal.aborted) {
      await clock.sleep(Math.max(1, Math.min(remainingMs() || WATCH_MS, WATCH_MS)), closed.signal);
    }
  })();

  return {
    id: () => memberships[0]!,
    memberships: () => memberships,
    isLive: () => remainingMs() > 0,
    remainingMs,
    requested: firstRequest.promise,
    lose,
    async close() {
      closed.abort();
      await Promise.all([renewing, watching]);
    },
  };
}
