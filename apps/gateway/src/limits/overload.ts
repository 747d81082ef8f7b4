import { CairnError } from '@cairn/errors';

/** Divides the machine among tenants while it has too little processor time for all of them. */
export interface OverloadControl {
  /**
   * Begins a request of the tenant, which ends with the `close` event of its response or socket. While the gateway's
   * event loop is late, it throws `rate_limited` for the tenant that occupies more than any other one.
   */
  begin(tenantId: string, connection: Closing): void;
  close(): void;
}

interface Closing {
  once(event: 'close', listener: () => void): unknown;
}

interface OverloadOptions {
  /** From this mean lateness of the event loop on the machine counts as overloaded; 0: never. */
  lateFromMs: number;
  nowMs?: () => number;
}

/** What a tenant has under way. */
interface Occupancy {
  underWay: number;
  /** Mean of `underWay` over the last seconds: what the tenant occupies, whatever its requests cost. */
  mean: number;
  settledAtMs: number;
}

const TICK_MS = 20;
/** A single late tick is no overload. */
const LATENESS_OVER_MS = 500;
const OCCUPANCY_OVER_MS = 3_000;
/** A longer request waits for a model or a reader, and is not counted any more: an idle stream takes nothing. */
const COUNTED_MAX_MS = 5_000;
/** So much on average is refused to nobody. */
const OCCUPANCY_FREE = 1;
/** A tenant that occupies less is no competitor, and is forgotten. */
const OCCUPANCY_MIN = 0.02;
const RETRY_AFTER_SECONDS = 1;

/**
 * A tenant alone may use everything. Among several, the one that occupies most is refused while the machine is
 * overloaded, until it occupies no more than the next one (max-min fairness). What a tenant occupies is the mean number
 * of its requests under way, which by Little's law is their rate times the time that they take.
 */
export function createOverloadControl({
  lateFromMs,
  nowMs = () => performance.now(),
}: OverloadOptions): OverloadControl {
  const tenants = new Map<string, Occupancy>();
  let latenessMs = 0;
  let lastTickMs = nowMs();
  /** The two that occupy most. */
  let most: { tenantId: string; mean: number }[] = [];

  function settle(occupancy: Occupancy, atMs: number): void {
    const share = 1 - Math.exp(-(atMs - occupancy.settledAtMs) / OCCUPANCY_OVER_MS);
    occupancy.mean += (occupancy.underWay - occupancy.mean) * share;
    occupancy.settledAtMs = atMs;
  }

  function tick(): void {
    const atMs = nowMs();
    const lateMs = Math.max(0, atMs - lastTickMs - TICK_MS);
    latenessMs += (lateMs - latenessMs) * (1 - Math.exp(-(atMs - lastTickMs) / LATENESS_OVER_MS));
    lastTickMs = atMs;
    for (const [tenantId, occupancy] of tenants) {
      settle(occupancy, atMs);
      if (occupancy.underWay === 0 && occupancy.mean < OCCUPANCY_MIN) tenants.delete(tenantId);
    }
    most = [...tenants]
      .map(([tenantId, { mean }]) => ({ tenantId, mean }))
      .sort((a, b) => b.mean - a.mean)
      .slice(0, 2);
  }

  function isOverShare(tenantId: string, occupancy: Occupancy): boolean {
    const other = most.find((one) => one.tenantId !== tenantId);
    return other !== undefined && occupancy.mean > Math.max(OCCUPANCY_FREE, other.mean);
  }

  const timer = lateFromMs === 0 ? undefined : setInterval(tick, TICK_MS).unref();
  return {
    begin(tenantId, connection) {
      if (lateFromMs === 0) return;
      const atMs = nowMs();
      const occupancy = tenants.get(tenantId) ?? { underWay: 0, mean: 0, settledAtMs: atMs };
      settle(occupancy, atMs);
      if (latenessMs >= lateFromMs && isOverShare(tenantId, occupancy)) {
        throw new CairnError(
          'rate_limited',
          'The service is busy, and no tenant has more requests under way than this one. Send fewer at a time.',
          { retryAfterSeconds: RETRY_AFTER_SECONDS },
        );
      }
      tenants.set(tenantId, occupancy);
      occupancy.underWay += 1;
      let isCounted = true;
      const end = () => {
        clearTimeout(longest);
        if (!isCounted) return;
        isCounted = false;
        settle(occupancy, nowMs());
        occupancy.underWay -= 1;
      };
      const longest = setTimeout(end, COUNTED_MAX_MS).unref();
      connection.once('close', end);
    },
    close: () => clearInterval(timer),
  };
}
