import type { ServiceName } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';

/** Divides the machine among tenants while it has too little processor time for all of them. */
export interface OverloadControl {
  /**
   * Counts a request of so much weight to a service. While the gateway or the service is late, it throws `rate_limited`
   * for a tenant that asks for more than its share. `payerId` is the same for a tenant's live and test mode.
   */
  take(payerId: string, service: ServiceName, weight: number): void;
  /** How late the event loop of a replica of the service was when it began a response. */
  reported(service: ServiceName, latenessMs: number): void;
  close(): void;
}

interface OverloadOptions {
  /** From this mean lateness of an event loop on the machine counts as overloaded; 0: never. */
  lateFromMs: number;
  nowMs?: () => number;
}

/** What a tenant asked for of late: the weights of its requests, each counted less the older it is. */
interface Use {
  /** Of all its requests. */
  asked: number;
  /** Of those that were admitted. */
  admitted: number;
  settledAtMs: number;
}

const TICK_MS = 20;
/** A single late tick is no overload. */
const LATENESS_OVER_MS = 500;
/** A service that reported no lateness for so long is not late any more. */
const REPORT_HOLDS_MS = 1_000;
const USE_OVER_MS = 3_000;
/** So much a second is refused to nobody: a person who works with the console, an agent that asks now and then. */
const FREE_WEIGHT_PER_SECOND = 4;
/** A tenant that asks for less is forgotten. */
const USE_MIN = 0.01;
const RETRY_AFTER_SECONDS = 1;

/**
 * While the machine is overloaded, a tenant that asks for more than the mean and has had as much as the mean is refused:
 * what is admitted moves towards equal shares, of which nobody is refused who asks for less. A tenant alone may use
 * everything. Weights are counted when requests come: how many are under way says little, because requests that wait for
 * an overloaded machine are under way for long.
 */
export function createOverloadControl({
  lateFromMs,
  nowMs = () => performance.now(),
}: OverloadOptions): OverloadControl {
  const uses = new Map<string, Use>();
  const late = new Map<ServiceName, { ms: number; atMs: number }>();
  let ownLatenessMs = 0;
  let lastTickMs = nowMs();
  let mean = { asked: 0, admitted: 0 };

  function tick(): void {
    const atMs = nowMs();
    const lateMs = Math.max(0, atMs - lastTickMs - TICK_MS);
    ownLatenessMs += (lateMs - ownLatenessMs) * shareOf(atMs - lastTickMs, LATENESS_OVER_MS);
    lastTickMs = atMs;
    let [asked, admitted] = [0, 0];
    for (const [payerId, use] of uses) {
      settle(use, atMs);
      if (use.asked < USE_MIN) uses.delete(payerId);
      asked += use.asked;
      admitted += use.admitted;
    }
    mean = { asked: asked / Math.max(1, uses.size), admitted: admitted / Math.max(1, uses.size) };
  }

  function isLate(service: ServiceName, atMs: number): boolean {
    const reported = late.get(service);
    const isReported = reported !== undefined && atMs - reported.atMs < REPORT_HOLDS_MS && reported.ms >= lateFromMs;
    return isReported || ownLatenessMs >= lateFromMs;
  }

  function isOverShare({ asked, admitted }: Use): boolean {
    const isFree = admitted <= (FREE_WEIGHT_PER_SECOND * USE_OVER_MS) / 1_000;
    return uses.size > 1 && !isFree && asked > mean.asked && admitted >= mean.admitted;
  }

  const timer = lateFromMs === 0 ? undefined : setInterval(tick, TICK_MS).unref();
  return {
    take(payerId, service, weight) {
      if (lateFromMs === 0) return;
      const atMs = nowMs();
      const use = uses.get(payerId) ?? { asked: 0, admitted: 0, settledAtMs: atMs };
      uses.set(payerId, use);
      settle(use, atMs);
      use.asked += weight;
      if (isLate(service, atMs) && isOverShare(use))
        throw new CairnError(
          'rate_limited',
          'The service is busy, and this tenant asks for more than its share of it. Send fewer requests at a time.',
          { retryAfterSeconds: RETRY_AFTER_SECONDS },
        );
      use.admitted += weight;
    },
    reported: (service, ms) => void late.set(service, { ms, atMs: nowMs() }),
    close: () => clearInterval(timer),
  };
}

function settle(use: Use, atMs: number): void {
  const left = Math.exp((use.settledAtMs - atMs) / USE_OVER_MS);
  use.asked *= left;
  use.admitted *= left;
  use.settledAtMs = atMs;
}

/** How much what was measured for a time counts in a mean over another one. */
function shareOf(ms: number, overMs: number): number {
  return 1 - Math.exp(-ms / overMs);
}
