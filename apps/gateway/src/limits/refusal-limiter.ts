import { CairnError, ERROR_CODES } from '@cairn/errors';
import { growingCacheOptions } from '@cairn/revocation';
import { LRUCache } from 'lru-cache';
import { networkOf } from './address-network.ts';
import { type RateDecision, takeFromBucket } from './gcra.ts';
import { rateHeaders, rateLimited } from './rate-headers.ts';
import type { RateLimit } from './rate-limit.ts';

/** Limits what an address can cause by requests that are refused: with unknown, bad or insufficient credentials. */
export interface RefusalLimiter {
  /**
   * Begins the lookup of a credential that was never seen good; call what it returns when the lookup has ended. Throws
   * `rate_limited` when the address was refused too often, or already has as many such lookups as may be refused.
   */
  beginLookup(address: string): () => void;
  /** Counts a refusal; returns the error to respond with, which is `rate_limited` beyond the limit. */
  refused(address: string, error: unknown): unknown;
  /** Calls `send` at once, or after a second when the address has received too many `rate_limited` responses. */
  respond(address: string, error: unknown, send: () => void): void;
}

/** Refusals are counted as they are for so many seconds of the rate at once: a client may start misconfigured. */
const BURST_SECONDS = 20;
const COUNTED_STATUSES: ReadonlySet<number> = new Set([401, 403]);
/** Prompt 429 responses per address: a burst is refused immediately, a sustained flood is delayed. */
const PROMPT = { requestsPerSecond: 10, burst: 100 };
const DELAY_MS = 1_000;
/** Delayed responses of all addresses together; each holds little more than its connection. */
const DELAYED_MAX = 5_000;
const TRACKED_NETWORKS_MAX = 200_000;

interface NetworkState {
  /** Bucket of refusals with 401 or 403. */
  refusalsEarnedMs: number;
  /** Bucket of prompt responses with 429. */
  promptEarnedMs: number;
  /** Lookups of unknown credentials under way. */
  lookups: number;
}

/**
 * A credential that is cached, or was seen good before, is not limited by its address: keys in use behind a shared
 * address go on while a neighbour there is slowed. A key that is new to this gateway competes with that neighbour for
 * what the rate permits.
 */
export function createRefusalLimiter(
  refusalsPerSecond: number,
  nowMs: () => number = () => performance.now(),
  trackedNetworksMax = TRACKED_NETWORKS_MAX,
): RefusalLimiter {
  const limit = {
    requestsPerSecond: refusalsPerSecond,
    burst: Math.max(1, Math.ceil(refusalsPerSecond * BURST_SECONDS)),
  };
  const networks = new LRUCache<string, NetworkState>(growingCacheOptions(trackedNetworksMax));
  const stateOf = (address: string): NetworkState => {
    const network = networkOf(address);
    const known = networks.get(network);
    if (known !== undefined) return known;
    const state = { refusalsEarnedMs: 0, promptEarnedMs: 0, lookups: 0 };
    networks.set(network, state);
    return state;
  };
  let delayed = 0;
  return {
    beginLookup(address) {
      const state = stateOf(address);
      // Each lookup under way may end in a refusal: only as many are begun as may all be refused.
      const { decision } = takeFromBucket(state.refusalsEarnedMs, nowMs(), limit);
      if (!decision.allowed) throw tooMany(TOO_MANY_REFUSED, decision, limit);
      if (state.lookups > decision.remaining) throw tooMany(TOO_MANY_NEW, decision, limit);
      state.lookups += 1;
      return () => {
        state.lookups -= 1;
      };
    },
    refused(address, error) {
      if (!(error instanceof CairnError) || !COUNTED_STATUSES.has(ERROR_CODES[error.code].status)) return error;
      const state = stateOf(address);
      const { decision, earnedMs } = takeFromBucket(state.refusalsEarnedMs, nowMs(), limit);
      if (!decision.allowed) return tooMany(TOO_MANY_REFUSED, decision, limit);
      state.refusalsEarnedMs = earnedMs;
      return error;
    },
    respond(address, error, send) {
      if (!(error instanceof CairnError) || error.code !== 'rate_limited') return send();
      const state = stateOf(address);
      const { decision, earnedMs } = takeFromBucket(state.promptEarnedMs, nowMs(), PROMPT);
      state.promptEarnedMs = earnedMs;
      if (decision.allowed || delayed >= DELAYED_MAX) return send();
      delayed += 1;
      setTimeout(() => {
        delayed -= 1;
        send();
      }, DELAY_MS);
    },
  };
}

const TOO_MANY_REFUSED = 'Too many requests from this address were refused.';
const TOO_MANY_NEW = 'Too many new credentials of this address are being looked up.';

function tooMany(detail: string, decision: RateDecision, limit: RateLimit): CairnError {
  return rateLimited(decision, detail, rateHeaders({ ...decision, remaining: 0 }, limit, 'address'));
}
