import { CairnError } from '@cairn/errors';
import { LRUCache } from 'lru-cache';

export type Lookup<Found, Refusal> = { ok: true; found: Found } | { ok: false; refusal: Refusal };

export interface LookupBounds {
  foundMax: number;
  foundKeptMs: number;
  refusedMax: number;
  refusedKeptMs: number;
  /** Questions on their way at once; one more is `unavailable`. */
  pendingMax: number;
}

/**
 * Puts a bounded cache before a question: answers of both kinds are kept for their time, counted from when they
 * were asked for, and those who ask the same at the same time share one question. Refusals have a place of their
 * own, so that guesses cannot push out what is good. A failed question is not kept.
 */
export function createLookupCache<Found, Refusal>(
  bounds: LookupBounds,
  ask: (name: string) => Promise<Lookup<Found, Refusal>>,
  nowMs: () => number = () => performance.now(),
): (name: string) => Promise<Lookup<Found, Refusal>> {
  const clock = { perf: { now: nowMs }, ttlResolution: 0 };
  const found = new LRUCache<string, Lookup<Found, Refusal>>({
    max: bounds.foundMax,
    ttl: bounds.foundKeptMs,
    ...clock,
  });
  const refused = new LRUCache<string, Lookup<Found, Refusal>>({
    max: bounds.refusedMax,
    ttl: bounds.refusedKeptMs,
    ...clock,
  });
  const pending = new Map<string, Promise<Lookup<Found, Refusal>>>();

  async function askAndKeep(name: string): Promise<Lookup<Found, Refusal>> {
    const start = nowMs();
    try {
      const answer = await ask(name);
      (answer.ok ? found : refused).set(name, answer, { start });
      return answer;
    } finally {
      pending.delete(name);
    }
  }

  return async (name) => {
    const known = found.get(name) ?? refused.get(name);
    if (known !== undefined) return known;
    const asked = pending.get(name);
    if (asked !== undefined) return asked;
    if (pending.size >= bounds.pendingMax) {
      throw new CairnError('unavailable', 'Too much is being looked up right now.', {
        internal: `${pending.size} lookups are pending`,
      });
    }
    const question = askAndKeep(name);
    pending.set(name, question);
    return question;
  };
}

/** Whatever goes wrong between the gateway and a part it asks is, to the caller, a part that is down. */
export function unavailable(error: unknown): CairnError {
  if (error instanceof CairnError && error.code === 'unavailable') return error;
  const internal = error instanceof CairnError ? `${error.code}: ${error.internal ?? error.message}` : String(error);
  return new CairnError('unavailable', 'A part of the service cannot be reached right now.', {
    cause: error,
    internal,
  });
}
