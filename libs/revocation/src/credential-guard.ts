import { LRUCache } from 'lru-cache';
import type { GatewayLease } from './gateway-lease.ts';
import type { Bearer } from './narrowing.ts';
import type { NarrowingsSeen } from './narrowings-seen.ts';

/** What keys said of a credential. */
export type Resolved<Found, Refusal> = { ok: true; found: Found } | { ok: false; refusal: Refusal };

export interface CredentialGuardOptions<Found extends object, Refusal> {
  lease: Pick<GatewayLease, 'id' | 'isLive'>;
  seen: NarrowingsSeen;
  /** Asks keys, past every cache. Throws when keys cannot be asked. */
  resolve: (digest: string) => Promise<Resolved<Found, Refusal>>;
  bearerOf: (found: Found) => Bearer;
  /** The refusal of what was denied by a narrowing. */
  denied: Refusal;
  nowMs: () => number;
  bounds: { foundMax: number; foundKeptMs: number; refusedMax: number; refusedKeptMs: number; pendingMax: number };
  /** Thrown when too much is being resolved. */
  overloaded: () => Error;
}

/** Says of each request whether its credential is good now. */
export interface CredentialGuard<Found, Refusal> {
  admit(digest: string): Promise<Resolved<Found, Refusal>>;
  /** Forgets everything; called when the lease is lost. */
  forget(): void;
}

/** How often a resolve is begun anew because what it asks for was narrowed meanwhile. */
const RESOLVES_MAX = 4;

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
  private pending = new Map<string, Promise<Filled<Found, Refusal>>>();
  private asking = 0;

  constructor(options: CredentialGuardOptions<Found, Refusal>) {
    const { bounds } = options;
    const clock = { perf: { now: options.nowMs }, ttlResolution: 0 };
    this.options = options;
    this.known = new LRUCache({ max: bounds.foundMax, ttl: bounds.foundKeptMs, ...clock });
    this.refused = new LRUCache({ max: bounds.refusedMax, ttl: bounds.refusedKeptMs, ...clock });
  }

  async admit(digest: string): Promise<Resolved<Found, Refusal>> {
    for (let attempt = 0; attempt < RESOLVES_MAX; attempt += 1) {
      const live = this.options.lease.isLive();
      const refusal = live ? this.refused.get(digest) : undefined;
      if (refusal !== undefined) return { ok: false, refusal: refusal.refusal };
      const judged = this.judge(live ? await this.recall(digest) : await this.fill(digest));
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
  private async recall(digest: string): Promise<Filled<Found, Refusal>> {
    const hit = this.known.get(digest);
    if (hit !== undefined) return { answer: { ok: true, found: hit.found }, stamp: hit.stamp };
    return this.pending.get(digest) ?? this.share(digest);
  }

  private share(digest: string): Promise<Filled<Found, Refusal>> {
    const asked = this.pending;
    const startedMs = this.options.nowMs();
    const filling = this.fill(digest)
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

  private async fill(digest: string): Promise<Filled<Found, Refusal>> {
    const { bounds, overloaded, seen, resolve } = this.options;
    if (this.asking >= bounds.pendingMax) throw overloaded();
    this.asking += 1;
    try {
      const stamp = seen.position();
      return { answer: await resolve(digest), stamp };
    } finally {
      this.asking -= 1;
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
