import { LRUCache } from 'lru-cache';
import { afterRequest, isBounded, owedRequests, type RateDecision, type RateLimit } from './gcra.ts';

/** What a draw asks for one key. */
export interface RateWish extends RateLimit {
  keyId: string;
  want: number;
}

export interface RateGrant {
  keyId: string;
  granted: number;
  left: number;
  waitMs: number;
}

export type RateTaken = RateDecision | 'wait' | 'unavailable';

export interface LeasedRateLimiter {
  /** Takes one request; `wait` when only a draw can tell. */
  take(keyId: string, limit: RateLimit): RateTaken;
  /** Gives what comes of the next draw to one that has to wait for it. */
  wait(keyId: string, answer: (taken: RateDecision | 'unavailable') => void): void;
  /** What the next draw has to ask for, as much as fits into it; counts demand anew. */
  wishes(max: number): RateWish[];
  granted(wishes: readonly RateWish[], grants: readonly RateGrant[], sentAtMs: number): void;
  /** A draw failed: those who wait for these keys are told so. */
  failed(keyIds: readonly string[]): void;
}

export interface LeasedRateLimiterOptions {
  nowMs: () => number;
  /** Among how many gateways the part is divided that needs no draw; 0 when this one has none of it. */
  sharing: () => number;
  trackedKeysMax?: number;
}

/** The part of a limit that gateways admit without asking, so that sparse callers never wait and keys may be down. */
const FLOOR_PART = 0.2;
/** Less than this cannot be divided among gateways. */
const FLOOR_BURST_MIN = 4;
/** How long what was drawn may be used, from before it was asked for. */
const DRAWN_KEPT_MS = 250;
/** Of the burst, what may be earned while drawn requests are kept. */
const KEPT_PART_MAX = 0.4;
/** What comes in this time is drawn before it comes. */
const AHEAD_MS = 200;
const MEASURED_OVER_MS = 80;
const REFUSED_AT_LEAST_MS = 50;
const FAILED_KEPT_MS = 500;
const ROUNDING = 1e-6;
const TRACKED_KEYS_MAX = 200_000;

interface KeyState {
  limit: RateLimit;
  /** When the floor's debt will be earned, after ITU-T I.371. */
  floorEarnedMs: number;
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
 * A key's rate over all gateways. Keys hold one bucket for each key, out of which gateways draw ahead what they are
 * about to admit; a fifth of the limit is divided among the gateways for good. Over any span of time no more is
 * admitted than the limit allows: the shared bucket is smaller by what can be drawn and kept, and a gateway has its
 * part of the floor only once the others are known to have made room. Where
 * that would eat up the burst, requests are drawn when they are there; they are then spaced as the bucket has it, give
 * or take the time that an answer takes to arrive.
 */
export function createLeasedRateLimiter(options: LeasedRateLimiterOptions): LeasedRateLimiter {
  return new Rates(options);
}

/** What all gateways draw from together. */
export function sharedPart({ requestsPerSecond, burst }: RateLimit): RateLimit {
  const part = hasFloor(burst) ? 1 - FLOOR_PART : 1;
  const shared = { requestsPerSecond: requestsPerSecond * part, burst: burst * part };
  const earnedWhileKept = Math.ceil((shared.requestsPerSecond * DRAWN_KEPT_MS) / 1_000);
  return drawsAhead({ requestsPerSecond, burst }) ? { ...shared, burst: shared.burst - earnedWhileKept } : shared;
}

/**
 * Whether requests of the key are drawn before they come. What is earned while they are kept has to fit into a small
 * part of the burst; else they are drawn when they are there.
 */
export function drawsAhead({ requestsPerSecond, burst }: RateLimit): boolean {
  const earnedWhileKept = (requestsPerSecond * DRAWN_KEPT_MS) / 1_000;
  return earnedWhileKept >= 1 && earnedWhileKept <= burst * KEPT_PART_MAX;
}

function hasFloor(burst: number): boolean {
  return burst * FLOOR_PART >= FLOOR_BURST_MIN;
}

class Rates implements LeasedRateLimiter {
  private readonly options: LeasedRateLimiterOptions;
  private readonly states: LRUCache<string, KeyState>;
  /** Keys with demand since the last round. */
  private readonly active = new Set<string>();

  constructor(options: LeasedRateLimiterOptions) {
    this.options = options;
    this.states = new LRUCache({ max: options.trackedKeysMax ?? TRACKED_KEYS_MAX });
  }

  take(keyId: string, limit: RateLimit): RateTaken {
    const now = this.options.nowMs();
    const state = this.stateOf(keyId, limit);
    // Without a rate there is no bound to hold, so nothing is admitted.
    if (!isBounded(limit)) return refusal(state, 1_000);
    state.demand += 1;
    this.active.add(keyId);
    if (state.drawn > 0 && now < state.drawnUntilMs) {
      state.drawn -= 1;
      return this.admission(state, now);
    }
    if (this.takeFloor(state, now)) return this.admission(state, now);
    if (now < state.failedUntilMs) return 'unavailable';
    if (now < state.refusedUntilMs) return refusal(state, this.retryAfterMs(state, now));
    return 'wait';
  }

  wait(keyId: string, answer: (taken: RateDecision | 'unavailable') => void): void {
    this.active.add(keyId);
    this.states.get(keyId)!.waiting.push(answer);
  }

  wishes(max: number): RateWish[] {
    const now = this.options.nowMs();
    const wishes: RateWish[] = [];
    for (const keyId of this.active) {
      if (wishes.length === max) break;
      this.active.delete(keyId);
      const state = this.states.peek(keyId);
      if (state === undefined) continue;
      const shared = sharedPart(state.limit);
      if (now - state.countedAtMs >= MEASURED_OVER_MS) {
        state.perMs = state.demand / (now - state.countedAtMs);
        [state.demand, state.countedAtMs] = [0, now];
      }
      // Of what was steady until now; a burst is asked for as it is there, or the first gateway would draw for all.
      const ahead = drawsAhead(state.limit) ? Math.ceil(state.perMs * AHEAD_MS) : 0;
      const need = ahead + state.waiting.length;
      const have = (now < state.drawnUntilMs ? state.drawn : 0) + this.floorLeft(state, now) / 2;
      const want = Math.min(Math.ceil(need - have), Math.ceil(shared.burst));
      // Whoever waits is told, even if there is nothing to draw.
      if (want > 0 || state.waiting.length > 0) wishes.push({ keyId, want: Math.max(1, want), ...shared });
    }
    return wishes;
  }

  granted(wishes: readonly RateWish[], grants: readonly RateGrant[], sentAtMs: number): void {
    const now = this.options.nowMs();
    const answered = new Set(grants.map((grant) => grant.keyId));
    this.failed(wishes.map((wish) => wish.keyId).filter((keyId) => !answered.has(keyId)));
    for (const { keyId, granted, left, waitMs } of grants) {
      const state = this.states.peek(keyId);
      if (state === undefined) continue;
      state.drawn = (now < state.drawnUntilMs ? state.drawn : 0) + granted;
      state.drawnUntilMs = sentAtMs + DRAWN_KEPT_MS;
      const drawnInTime = now < state.drawnUntilMs || !drawsAhead(state.limit);
      [state.left, state.leftAtMs] = [left, now];
      state.refusedUntilMs = left === 0 && granted === 0 ? now + Math.max(waitMs, REFUSED_AT_LEAST_MS) : 0;
      const refused = Math.max(waitMs, REFUSED_AT_LEAST_MS);
      for (const answer of state.waiting.splice(0)) {
        if (state.drawn > 0 && drawnInTime) {
          state.drawn -= 1;
          answer(this.admission(state, now));
        } else if (this.takeFloor(state, now)) answer(this.admission(state, now));
        else if (left === 0) answer(refusal(state, refused));
        // It came after the draw was sent, and there is more.
        else state.waiting.push(answer);
      }
      if (state.waiting.length > 0) this.active.add(keyId);
    }
  }

  failed(keyIds: readonly string[]): void {
    const until = this.options.nowMs() + FAILED_KEPT_MS;
    for (const keyId of keyIds) {
      const state = this.states.peek(keyId);
      if (state === undefined) continue;
      state.failedUntilMs = until;
      for (const answer of state.waiting.splice(0)) answer('unavailable');
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
      floorEarnedMs: 0,
      drawn: 0,
      drawnUntilMs: 0,
      demand: 0,
      countedAtMs: this.options.nowMs(),
      perMs: 0,
      refusedUntilMs: 0,
      failedUntilMs: 0,
      left: Math.floor(sharedPart(limit).burst),
      leftAtMs: this.options.nowMs(),
      waiting: [],
    };
    this.states.set(keyId, state);
    return state;
  }

  private takeFloor(state: KeyState, now: number): boolean {
    if (this.floorLeft(state, now) < 1 - ROUNDING) return false;
    state.floorEarnedMs = afterRequest(state.floorEarnedMs, now, this.floorPerSecond(state));
    return true;
  }

  /** Requests of the floor that fit now; fractions count for what comes. */
  private floorLeft(state: KeyState, now: number): number {
    const sharing = this.options.sharing();
    if (sharing === 0 || !hasFloor(state.limit.burst)) return 0;
    const owed = owedRequests(state.floorEarnedMs, now, this.floorPerSecond(state));
    return Math.max(0, (state.limit.burst * FLOOR_PART) / sharing - owed);
  }

  private floorPerSecond({ limit }: KeyState): number {
    return (limit.requestsPerSecond * FLOOR_PART) / Math.max(1, this.options.sharing());
  }

  private retryAfterMs(state: KeyState, now: number): number {
    return Math.max(1, state.refusedUntilMs - now);
  }

  private admission(state: KeyState, now: number): RateDecision {
    const { requestsPerSecond, burst } = state.limit;
    const shared = sharedPart(state.limit);
    const earned = ((now - state.leftAtMs) / 1_000) * shared.requestsPerSecond;
    const left = Math.min(shared.burst, state.left + earned) + state.drawn + this.floorLeft(state, now);
    const remaining = Math.max(0, Math.min(Math.floor(left), Math.floor(burst) - 1));
    return { allowed: true, remaining, retryAfterSeconds: 0, resetSeconds: (burst - remaining) / requestsPerSecond };
  }
}

function refusal(state: KeyState, waitMs: number): RateDecision {
  const { requestsPerSecond, burst } = state.limit;
  const resetSeconds = requestsPerSecond > 0 ? burst / requestsPerSecond : 1;
  return { allowed: false, remaining: 0, retryAfterSeconds: waitMs / 1_000, resetSeconds };
}
