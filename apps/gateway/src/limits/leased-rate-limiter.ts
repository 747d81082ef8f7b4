import { growingCacheOptions } from '@cairn/revocation';
import { LRUCache } from 'lru-cache';
import { outstandingRequests, type RateDecision, takeFromBucket } from './gcra.ts';
import { isBounded, type RateLimit } from './rate-limit.ts';

/** What a draw requests for one key. */
export interface RateDraw extends RateLimit {
  keyId: string;
  want: number;
}

export interface RateGrant {
  keyId: string;
  granted: number;
  left: number;
  waitMs: number;
}

type RateTaken = RateDecision | 'wait' | 'unavailable';

export interface LeasedRateLimiter {
  /** Takes one request; `wait` when only a draw can tell. */
  take(keyId: string, limit: RateLimit): RateTaken;
  /** Waits for the outcome of the next draw. */
  wait(keyId: string, resolve: (taken: RateDecision | 'unavailable') => void): void;
  /** What the next draw has to request, as much as fits into it; resets the measured demand. */
  draws(max: number): RateDraw[];
  granted(draws: readonly RateDraw[], grants: readonly RateGrant[], sentAtMs: number): void;
  /** A draw failed: whoever waits for these keys gets `unavailable`. */
  failed(keyIds: readonly string[]): void;
}

interface LeasedRateLimiterOptions {
  nowMs: () => number;
  /** Among how many gateways the reserved share is divided; 0 when this one has no part of it. */
  gatewayCount: () => number;
  trackedKeysMax?: number;
}

/** The share of a limit that gateways admit without a draw, so that sparse callers never wait and keys may be down. */
const RESERVED_SHARE = 0.2;
/** Less than this cannot be divided among gateways. */
const RESERVED_BURST_MIN = 4;
/** How long drawn requests may be used, from before they were requested. */
const DRAWN_CACHE_MS = 250;
/** Share of the burst that may be earned while drawn requests are kept. */
const CACHED_SHARE_MAX = 0.4;
/** Requests that are expected within this time are drawn in advance. */
const AHEAD_MS = 200;
const MEASURED_OVER_MS = 80;
const REFUSED_MIN_MS = 50;
const FAILED_CACHE_MS = 500;
const TRACKED_KEYS_MAX = 200_000;

interface KeyState {
  limit: RateLimit;
  /** The bucket of the reserved share; see `takeFromBucket`. */
  reservedEarnedMs: number;
  drawn: number;
  drawnUntilMs: number;
  /** Requests since `countedAtMs`. */
  demand: number;
  countedAtMs: number;
  perMs: number;
  refusedUntilMs: number;
  failedUntilMs: number;
  left: number;
  leftAtMs: number;
  waiting: ((taken: RateDecision | 'unavailable') => void)[];
}

/**
 * A key's rate over all gateways. The keys service holds one bucket for each key, from which gateways draw in advance
 * what they are about to admit; a fifth of the limit is reserved and divided among the gateways. Over any span of time
 * no more is admitted than the limit allows: the shared bucket is smaller by what can be drawn and kept, and a gateway
 * has its part of the reserved share only once the others are known to have made room. Where drawing in advance would
 * use up the burst, requests are drawn as they arrive; they are then spaced as the bucket grants them, give or take the
 * latency of a draw.
 */
export function createLeasedRateLimiter(options: LeasedRateLimiterOptions): LeasedRateLimiter {
  return new LeasedRates(options);
}

/** The limit of the bucket that all gateways draw from. */
function sharedLimit({ requestsPerSecond, burst }: RateLimit): RateLimit {
  const share = hasReservedShare(burst) ? 1 - RESERVED_SHARE : 1;
  const shared = { requestsPerSecond: requestsPerSecond * share, burst: burst * share };
  const earnedWhileCached = Math.ceil((shared.requestsPerSecond * DRAWN_CACHE_MS) / 1_000);
  return drawsAhead({ requestsPerSecond, burst }) ? { ...shared, burst: shared.burst - earnedWhileCached } : shared;
}

/**
 * Whether requests of the key are drawn in advance. What is earned while they are kept has to fit into a small part of
 * the burst; else they are drawn as they arrive.
 */
export function drawsAhead({ requestsPerSecond, burst }: RateLimit): boolean {
  const earnedWhileCached = (requestsPerSecond * DRAWN_CACHE_MS) / 1_000;
  return earnedWhileCached >= 1 && earnedWhileCached <= burst * CACHED_SHARE_MAX;
}

function hasReservedShare(burst: number): boolean {
  return burst * RESERVED_SHARE >= RESERVED_BURST_MIN;
}

class LeasedRates implements LeasedRateLimiter {
  private readonly options: LeasedRateLimiterOptions;
  private readonly states: LRUCache<string, KeyState>;
  /** Keys with demand since the last round. */
  private readonly active = new Set<string>();

  constructor(options: LeasedRateLimiterOptions) {
    this.options = options;
    this.states = new LRUCache(growingCacheOptions(options.trackedKeysMax ?? TRACKED_KEYS_MAX));
  }

  take(keyId: string, limit: RateLimit): RateTaken {
    const now = this.options.nowMs();
    const state = this.stateOf(keyId, limit);
    // Without a rate there is no limit to enforce, so nothing is admitted.
    if (!isBounded(limit)) return refusal(state, 1_000);
    state.demand += 1;
    this.active.add(keyId);
    if (state.drawn > 0 && now < state.drawnUntilMs) {
      state.drawn -= 1;
      return this.admission(state, now);
    }
    if (this.takeReserved(state, now)) return this.admission(state, now);
    if (now < state.failedUntilMs) return 'unavailable';
    if (now < state.refusedUntilMs) return refusal(state, this.retryAfterMs(state, now));
    return 'wait';
  }

  wait(keyId: string, resolve: (taken: RateDecision | 'unavailable') => void): void {
    this.active.add(keyId);
    this.states.get(keyId)!.waiting.push(resolve);
  }

  draws(max: number): RateDraw[] {
    const now = this.options.nowMs();
    const draws: RateDraw[] = [];
    for (const keyId of this.active) {
      if (draws.length === max) break;
      this.active.delete(keyId);
      const state = this.states.peek(keyId);
      if (state === undefined) continue;
      const shared = sharedLimit(state.limit);
      if (now - state.countedAtMs >= MEASURED_OVER_MS) {
        state.perMs = state.demand / (now - state.countedAtMs);
        state.demand = 0;
        state.countedAtMs = now;
      }
      // Only steady demand is drawn in advance; a burst is drawn as it arrives, or the first gateway would draw for
      // all.
      const ahead = drawsAhead(state.limit) ? Math.ceil(state.perMs * AHEAD_MS) : 0;
      const need = ahead + state.waiting.length;
      const have = (now < state.drawnUntilMs ? state.drawn : 0) + this.reservedLeft(state, now) / 2;
      const want = Math.min(Math.ceil(need - have), Math.ceil(shared.burst));
      // Whoever waits gets a result, even if there is nothing to draw.
      if (want > 0 || state.waiting.length > 0) draws.push({ keyId, want: Math.max(1, want), ...shared });
    }
    return draws;
  }

  granted(draws: readonly RateDraw[], grants: readonly RateGrant[], sentAtMs: number): void {
    const now = this.options.nowMs();
    const grantedKeys = new Set(grants.map((grant) => grant.keyId));
    this.failed(draws.map((draw) => draw.keyId).filter((keyId) => !grantedKeys.has(keyId)));
    for (const { keyId, granted, left, waitMs } of grants) {
      const state = this.states.peek(keyId);
      if (state === undefined) continue;
      state.drawn = (now < state.drawnUntilMs ? state.drawn : 0) + granted;
      state.drawnUntilMs = sentAtMs + DRAWN_CACHE_MS;
      const drawnInTime = now < state.drawnUntilMs || !drawsAhead(state.limit);
      state.left = left;
      state.leftAtMs = now;
      state.refusedUntilMs = left === 0 && granted === 0 ? now + Math.max(waitMs, REFUSED_MIN_MS) : 0;
      const refused = Math.max(waitMs, REFUSED_MIN_MS);
      for (const resolve of state.waiting.splice(0)) {
        if (state.drawn > 0 && drawnInTime) {
          state.drawn -= 1;
          resolve(this.admission(state, now));
        } else if (this.takeReserved(state, now)) resolve(this.admission(state, now));
        else if (left === 0) resolve(refusal(state, refused));
        // It arrived after the draw was sent, and the bucket is not empty.
        else state.waiting.push(resolve);
      }
      if (state.waiting.length > 0) this.active.add(keyId);
    }
  }

  failed(keyIds: readonly string[]): void {
    const until = this.options.nowMs() + FAILED_CACHE_MS;
    for (const keyId of keyIds) {
      const state = this.states.peek(keyId);
      if (state === undefined) continue;
      state.failedUntilMs = until;
      for (const resolve of state.waiting.splice(0)) resolve('unavailable');
    }
  }

  private stateOf(keyId: string, limit: RateLimit): KeyState {
    const known = this.states.get(keyId);
    if (known !== undefined) {
      known.limit = limit;
      return known;
    }
    const state: KeyState = {
      limit,
      reservedEarnedMs: 0,
      drawn: 0,
      drawnUntilMs: 0,
      demand: 0,
      countedAtMs: this.options.nowMs(),
      perMs: 0,
      refusedUntilMs: 0,
      failedUntilMs: 0,
      left: Math.floor(sharedLimit(limit).burst),
      leftAtMs: this.options.nowMs(),
      waiting: [],
    };
    this.states.set(keyId, state);
    return state;
  }

  private takeReserved(state: KeyState, now: number): boolean {
    const limit = this.reservedLimit(state);
    if (limit === null) return false;
    const { decision, earnedMs } = takeFromBucket(state.reservedEarnedMs, now, limit);
    state.reservedEarnedMs = earnedMs;
    return decision.allowed;
  }

  /** Requests of the reserved share that fit now, fractions included. */
  private reservedLeft(state: KeyState, now: number): number {
    const limit = this.reservedLimit(state);
    if (limit === null) return 0;
    return Math.max(0, limit.burst - outstandingRequests(state.reservedEarnedMs, now, limit.requestsPerSecond));
  }

  /** This gateway's part of the reserved share; null while it has none. */
  private reservedLimit({ limit }: KeyState): RateLimit | null {
    const gatewayCount = this.options.gatewayCount();
    if (gatewayCount === 0 || !hasReservedShare(limit.burst)) return null;
    const share = RESERVED_SHARE / gatewayCount;
    return { requestsPerSecond: limit.requestsPerSecond * share, burst: limit.burst * share };
  }

  private retryAfterMs(state: KeyState, now: number): number {
    return Math.max(1, state.refusedUntilMs - now);
  }

  private admission(state: KeyState, now: number): RateDecision {
    const { requestsPerSecond, burst } = state.limit;
    const shared = sharedLimit(state.limit);
    const earned = ((now - state.leftAtMs) / 1_000) * shared.requestsPerSecond;
    const left = Math.min(shared.burst, state.left + earned) + state.drawn + this.reservedLeft(state, now);
    const remaining = Math.max(0, Math.min(Math.floor(left), Math.floor(burst) - 1));
    return { allowed: true, remaining, retryAfterSeconds: 0, resetSeconds: (burst - remaining) / requestsPerSecond };
  }
}

function refusal(state: KeyState, waitMs: number): RateDecision {
  const { requestsPerSecond, burst } = state.limit;
  const resetSeconds = requestsPerSecond > 0 ? burst / requestsPerSecond : 1;
  return { allowed: false, remaining: 0, retryAfterSeconds: waitMs / 1_000, resetSeconds };
}
