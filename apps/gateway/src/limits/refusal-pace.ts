import { CairnError } from '@cairn/errors';
import { LRUCache } from 'lru-cache';
import { networkOf } from './address-limiter.ts';
import { takeFromBucket } from './gcra.ts';

/** Slows down a client that goes on sending although its requests are answered with 429. */
export interface RefusalPace {
  /** Calls `send` immediately, or after a second when the address has received too many `rate_limited` responses. */
  answer(address: string, error: unknown, send: () => void): void;
}

/** Prompt 429 responses per address: a burst is refused immediately, a sustained flood is delayed. */
const PROMPT = { requestsPerSecond: 10, burst: 100 };
const DELAY_MS = 1_000;
/** Delayed responses of all addresses together; each holds little more than its connection. */
const WAITING_MAX = 5_000;
const TRACKED_NETWORKS_MAX = 100_000;

export function createRefusalPace(nowMs: () => number = () => performance.now()): RefusalPace {
  const buckets = new LRUCache<string, number>({ max: TRACKED_NETWORKS_MAX });
  let waiting = 0;
  return {
    answer(address, error, send) {
      if (!(error instanceof CairnError) || error.code !== 'rate_limited') return send();
      const network = networkOf(address);
      const { decision, earnedMs } = takeFromBucket(buckets.get(network) ?? 0, nowMs(), PROMPT);
      buckets.set(network, earnedMs);
      if (decision.allowed || waiting >= WAITING_MAX) return send();
      waiting += 1;
      setTimeout(() => {
        waiting -= 1;
        send();
      }, DELAY_MS);
    },
  };
}
