import { LRUCache } from 'lru-cache';
import type { GatewayLease } from './gateway-lease.ts';
import { LookupLanes, type LookupLanesBounds } from './lookup-lanes.ts';
import type { Bearer } from './narrowing.ts';
import type { NarrowingsSeen } from './narrowings-seen.ts';

/** What keys said of a credential. */
export type Resolved<Found, Refusal> = { ok: true; found: Found } | { ok: false; refusal: Refusal };

export interface CredentialGuardOptions<Found extends object, Refusal> {
  lease: Pick<GatewayLease, 'id' | 'isLive'>;
  seen: NarrowingsSeen;
  /** Asks keys, past every cache; `seenGood`: it was good before. Throws when keys cannot be asked. */
  resolve: (digest: string, seenGood: boolean) => Promise<Resolved<Found, Refusal>>;
  bearerOf: (found: Found) => Bearer;
  /** The refusal of what was denied by a narrowing. */
  denied: Refusal;
  nowMs: () => number;
  bounds: LookupLanesBounds & { foundMax: number; foundKeptMs: number; refusedMax: number; refusedKeptMs: number };
  /** Thrown when too much is being resolved. */
  overloaded: () => Error;
}

/**
 * Called before a credential is looked up that was never seen good; throws what refuses the caller instead. What it
 * returns is called when the lookup has ended.
 */
export type BeginStrangerLookup = () => () => void;

/** Says of each request whether its credential is good now. */
export interface CredentialGuard<Found, Refusal> {
  admit(digest: string, beginStranger?: BeginStrangerLookup): Promise<Resolved<Found, Refusal>>;
  /** Forgets everything; called when the lease is lost. */
  forget(): void;
}

/** How often a resolve is begun anew because what it asks for was narrowed meanwhile. */
const RESOLVES_MAX = 4;

const ANY_STRANGER: BeginStrangerLookup = () => () => undefined;
const NOTHING_BEGUN = () => undefined;

interface Filled<Found, Refusal> {
  answer: Resolved<Found, Refusal>;
  /** How much of the narrowings the answer is sure to reflect. */
  stamp: number;
}

/**
 * The gateway's half of admission. Under a live lease it answers from what it knows, asks once for those who ask the
 * same, and keeps an answer only if nothing it is about was narrowed since the question began. Without a lease it
 * asks for each request by itself and keeps nothing. What was denied is refused whatever else is known.
 */
export function createCredentialGuard<Found extends object, Refusal extends NonNullable<unknown>>(
  options: CredentialGuardOptions<Found, Refusal>,
): CredentialGuard<Found, Refusal> {
  return new Guard(options);
}

class Guard<Found extends object, Refusal extends NonNullable<unknown>> implements CredentialGuard<Found, Refusal> {
  private readonly options: CredentialGuardOptions<Found, Refusal>;
  private readonly known: LRUCache<string, { found: Found; stamp: number }>;
  private readonly refused: LRUCache<string, { refusal: Refusal }>;
  private readonly lanes: LookupLanes;
  private pending = new Map<string, Promise<Filled<Found, Refusal>>>();

  constructor(options: CredentialGuardOptions<Found, Refusal>) {
    const { bounds } = options;
    const clock = { perf: { now: options.nowMs }, ttlResolution: 0 };
    this.options = options;
    this.known = new LRUCache({ max: bounds.foundMax, ttl: bounds.foundKeptMs, ...clock });
    this.lanes = new LookupLanes(bounds);
    this.refused = new LRUCache({ max: bounds.refusedMax, ttl: bounds.refusedKeptMs, ...clock });
  }

  async admit(digest: string, beginStranger: BeginStrangerLookup = ANY_STRANGER): Promise<Resolved<Found, Refusal>> {
    for (let attempt = 0; attempt < RESOLVES_MAX; attempt += 1) {
      const live = this.options.lease.isLive();
      const refusal = live ? this.refused.get(digest) : undefined;
      if (refusal !== undefined) return { ok: false, refusal: refusal.refusal };
      const judged = this.judge(await (live ? this.recall(digest, beginStranger) : this.fill(digest, beginStranger)));
      if (judged !== null) return judged;
      this.known.delete(digest);
      this.pending.delete(digest);
    }
    throw this.options.overloaded();
  }

  forget(): void {
    this.known.clear();
    this.refused.clear();
    // Those who wait keep their question; whoever comes now asks anew.
    this.pending = new Map();
  }

  /** What is known, or what comes of one question for all who ask the same. */
  private async recall(digest: string, beginStranger: BeginStrangerLookup): Promise<Filled<Found, Refusal>> {
    const hit = this.known.get(digest);
    if (hit !== undefined) return { answer: { ok: true, found: hit.found }, stamp: hit.stamp };
    return this.pending.get(digest) ?? this.share(digest, this.beginAs(digest, beginStranger));
  }

  private share(digest: string, end: () => void): Promise<Filled<Found, Refusal>> {
    const asked = this.pending;
    const startedMs = this.options.nowMs();
    const filling = this.ask(digest, end)
      .then((filled) => {
        // Kept for others if it was asked for under the lease that is live now.
        if (this.options.lease.isLive() && asked === this.pending) this.keep(digest, filled, startedMs);
        return filled;
      })
      .finally(() => {
        if (asked.get(digest) === filling) asked.delete(digest);
      });
    asked.set(digest, filling);
    return filling;
  }

  private async fill(digest: string, beginStranger: BeginStrangerLookup): Promise<Filled<Found, Refusal>> {
    return this.ask(digest, this.beginAs(digest, beginStranger));
  }

  /** Refuses this caller alone: those who ask for the same share a lookup only once it has begun. */
  private beginAs(digest: string, beginStranger: BeginStrangerLookup): () => void {
    return this.lanes.wasGood(digest) ? NOTHING_BEGUN : beginStranger();
  }

  private async ask(digest: string, end: () => void): Promise<Filled<Found, Refusal>> {
    const { overloaded, seen, resolve } = this.options;
    const lookup = this.lanes.begin(digest);
    try {
      if (lookup === null) throw overloaded();
      const stamp = seen.position();
      const answer = await resolve(digest, lookup.seenGood);
      this.lanes.remember(digest, answer.ok);
      return { answer, stamp };
    } finally {
      lookup?.end();
      end();
    }
  }

  private keep(digest: string, { answer, stamp }: Filled<Found, Refusal>, start: number): void {
    if (!answer.ok) this.refused.set(digest, { refusal: answer.refusal }, { start });
    else if (!this.isStale(answer.found, stamp)) this.known.set(digest, { found: answer.found, stamp }, { start });
  }

  private isStale(found: Found, stamp: number): boolean {
    return this.options.seen.isOutdated(this.options.bearerOf(found), stamp);
  }

  /** The last word on an answer; null when it has to be asked for anew. */
  private judge({ answer, stamp }: Filled<Found, Refusal>): Resolved<Found, Refusal> | null {
    if (!answer.ok) return answer;
    const { seen, bearerOf, denied } = this.options;
    if (seen.isDenied(bearerOf(answer.found))) return { ok: false, refusal: denied };
    return this.isStale(answer.found, stamp) ? null : answer;
  }
}
