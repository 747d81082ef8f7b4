import { CairnError } from '@cairn/errors';
import { LRUCache } from 'lru-cache';
import { networkOf } from './address-limiter.ts';
import { takeFromBucket } from './gcra.ts';

/** Slows down a client that goes on sending although its requests are answered with 429. */
export interface RefusalPace {
  /** Answers: at once, or after a second when the address was told `rate_limited` too often of late. */
  answer(address: string, error: unknown, send: () => void): void;
}

/** Of one address. Whoever comes in bursts is told at once; what goes on for longer is not for a client's good. */
const PROMPT = { requestsPerSecond: 10, burst: 100 };
const DELAY_MS = 1_000;
/** Answers that wait, of all addresses; each holds a connection and little more. */
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
