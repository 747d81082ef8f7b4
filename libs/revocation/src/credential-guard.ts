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
  /** True for a refusal that a good credential can never become, and that may be remembered for a moment. */
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

/**
 * The gateway's half of admission. Under a live lease it answers from what it knows, asks once for those who ask the
 * same, and keeps an answer only if nothing it is about was narrowed since the question began. Without a lease it
 * asks for each request by itself and keeps nothing. What was denied is refused whatever else is known.
 */
export function createCredentialGuard<Found extends object, Refusal>(
  options: CredentialGuardOptions<Found, Refusal>,
): CredentialGuard<Found, Refusal> {
  const { lease, seen, bounds } = options;
  const clock = { perf: { now: options.nowMs }, ttlResolution: 0 };
  const known = new LRUCache<string, { found: Found; stamp: number }>({
    max: bounds.foundMax,
    ttl: bounds.foundKeptMs,
    ...clock,
  });
  const refused = new LRUCache<string, { refusal: Refusal }>({
    max: bounds.refusedMax,
    ttl: bounds.refusedKeptMs,
    ...clock,
  });
  let pending = new Map<string, Promise<Filled>>();
  let asking = 0;

  interface Filled {
    answer: Resolved<Found, Refusal>;
    stamp: number;
  }

  /** Asks keys; the stamp says how much of the narrowings the answer is sure to reflect. */
  async function fill(digest: string): Promise<Filled> {
    if (asking >= bounds.pendingMax) throw options.overloaded();
    asking += 1;
    try {
      const stamp = seen.position();
      return { answer: await options.resolve(digest), stamp };
    } finally {
      asking -= 1;
    }
  }

  function share(digest: string): Promise<Filled> {
    const begun = pending.get(digest);
    if (begun !== undefined) return begun;
    const mine = pending;
    const startedMs = options.nowMs();
    const filling = fill(digest)
      .then((filled) => {
        keep(digest, filled, startedMs, mine);
        return filled;
      })
      .finally(() => mine.delete(digest));
    pending.set(digest, filling);
    return filling;
  }

  /** Keeps an answer for others, if it was asked for under the lease that is live now. */
  function keep(digest: string, { answer, stamp }: Filled, startedMs: number, askedUnder: typeof pending): void {
    if (!lease.isLive() || askedUnder !== pending) return;
    if (!answer.ok) refused.set(digest, { refusal: answer.refusal }, { start: startedMs });
    else if (!isStale(answer.found, stamp)) known.set(digest, { found: answer.found, stamp }, { start: startedMs });
  }

  function isStale(found: Found, stamp: number): boolean {
    return seen.isOutdated(options.bearerOf(found), stamp);
  }

  /** The last word on an answer; null when it has to be asked for anew. */
  function judge({ answer, stamp }: Filled): Resolved<Found, Refusal> | null {
    if (!answer.ok) return answer;
    if (seen.isDenied(options.bearerOf(answer.found))) return { ok: false, refusal: options.denied };
    return isStale(answer.found, stamp) ? null : answer;
  }

  return {
    async admit(digest) {
      for (let attempt = 0; attempt < RESOLVES_MAX; attempt += 1) {
        if (!lease.isLive()) {
          const judged = judge(await fill(digest));
          if (judged !== null) return judged;
          continue;
        }
        const hit = known.get(digest);
        const refusal = hit === undefined ? refused.get(digest) : undefined;
        if (refusal !== undefined) return { ok: false, refusal: refusal.refusal };
        const judged = judge(
          hit === undefined ? await share(digest) : { answer: { ok: true, found: hit.found }, stamp: hit.stamp },
        );
        if (judged !== null) return judged;
        known.delete(digest);
        if (pending.has(digest)) pending.delete(digest);
      }
      throw options.overloaded();
    },
    forget() {
      known.clear();
      refused.clear();
      // Those who wait keep their question; whoever comes now asks anew.
      pending = new Map();
    },
  };
}
