import type { Clock } from './clock.ts';

/** What keys answers a gateway that asks for its lease. */
export type LeaseAnswer = { granted: true; durationMs: number } | { granted: false };

export interface GatewayLeaseOptions {
  clock: Clock;
  /** A name for one membership, never used again. */
  newId: () => string;
  /**
   * Asks keys to write the lease down: a new one to join, else the one that is there, which keys refuses when it ran
   * out or was fenced. Throws when keys cannot be reached.
   */
  ask: (gatewayId: string, joining: boolean) => Promise<LeaseAnswer>;
  /** Called when the lease is lost, before anything else happens: what is known is forgotten, what is open is ended. */
  onLost: () => void;
  renewEveryMs: number;
  /** What the gateway's clock may be off against the database's over one lease. */
  marginMs: number;
}

/** A gateway's right to use what it knows of credentials. */
export interface GatewayLease {
  /** The membership; another one after each loss and each try to join. */
  id(): string;
  /**
   * This process's memberships, the latest first: what it was told holds for the first, and the others are lost, with
   * all that was known under them.
   */
  memberships(): readonly string[];
  /** True while what this gateway knows may be used. */
  isLive(): boolean;
  /** How long it will be usable if nothing happens, in milliseconds. */
  remainingMs(): number;
  /** Settles when keys answered for the first time, or could not be asked. */
  asked: Promise<void>;
  /** Gives the lease up for lost. */
  lose(): void;
  close(): Promise<void>;
}

/** Without a lease every request is a question to keys: joining is tried so many times as often as renewing. */
const REJOIN_SHARE = 5;
const WATCH_MS = 500;
/** More than can begin while one lease runs out. */
const MEMBERSHIPS_KEPT = 64;

interface Grant {
  sentMonotonicMs: number;
  sentWallMs: number;
  usableMs: number;
}

/**
 * Holds a lease after Gray and Cheriton 1989: counted from before it was asked for, on whichever clock says that more
 * time has passed, less a margin, so that this gateway never believes in it longer than keys does. Whoever lost it
 * joins again under another name and knows nothing.
 */
export function holdLease(options: GatewayLeaseOptions): GatewayLease {
  const { clock } = options;
  const closed = new AbortController();
  let memberships = [options.newId()];
  let grant: Grant | null = null;

  const beginAnew = () => {
    memberships = [options.newId(), ...memberships].slice(0, MEMBERSHIPS_KEPT);
  };
  const lose = () => {
    beginAnew();
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
    // A try to join whose answer was lost may have been written down; it is not joined twice, or it would never end.
    if (grant === null) beginAnew();
    const id = memberships[0]!;
    const sent = { sentMonotonicMs: clock.monotonicMs(), sentWallMs: clock.wallMs() };
    const answer = await options.ask(id, grant === null).catch(() => null);
    // The lease it was asked for was lost on the way, or keys could not be reached and what is left of it still holds.
    if (id !== memberships[0] || answer === null) return;
    if (!answer.granted) return lose();
    grant = { ...sent, usableMs: answer.durationMs - options.marginMs };
    remainingMs();
  };
  const firstAsked = Promise.withResolvers<void>();
  const renewing = (async () => {
    while (!closed.signal.aborted) {
      await renew();
      firstAsked.resolve();
      await clock.sleep(remainingMs() > 0 ? options.renewEveryMs : options.renewEveryMs / REJOIN_SHARE, closed.signal);
    }
  })();
  // What is open ends with the lease, and not with the next request or the answer to a renewal that hangs.
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
    asked: firstAsked.promise,
    lose,
    async close() {
      closed.abort();
      await Promise.all([renewing, watching]);
    },
  };
}
