import { CairnError } from '@cairn/errors';
import { type LaneLookup, LookupLanes, type LookupLanesBounds } from '@cairn/revocation';
import { LRUCache } from 'lru-cache';

export type Lookup<Found, Refusal> = { ok: true; found: Found } | { ok: false; refusal: Refusal };

export interface LookupBounds extends LookupLanesBounds {
  foundMax: number;
  foundKeptMs: number;
  refusedMax: number;
  refusedKeptMs: number;
}

/**
 * Puts a bounded cache before a question: answers of both kinds are kept for their time, counted from when they
 * were asked for, and those who ask the same at the same time share one question. Refusals have a place of their
 * own, so that guesses cannot push out what is good, and lookups of what was good before have theirs. A failed
 * question is not kept; a lookup that its lane has no room for is `unavailable`.
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

  const lanes = new LookupLanes(bounds);

  async function askAndKeep(name: string, lookup: LaneLookup): Promise<Lookup<Found, Refusal>> {
    const start = nowMs();
    try {
      const answer = await ask(name);
      lanes.remember(name, answer.ok);
      (answer.ok ? found : refused).set(name, answer, { start });
      return answer;
    } finally {
      lookup.end();
      pending.delete(name);
    }
  }

  return async (name) => {
    const known = found.get(name) ?? refused.get(name);
    if (known !== undefined) return known;
    const asked = pending.get(name);
    if (asked !== undefined) return asked;
    const lookup = lanes.begin(name);
    if (lookup === null) {
      throw new CairnError('unavailable', 'Too many concurrent lookups.', {
        internal: `${pending.size} lookups are pending`,
      });
    }
    const question = askAndKeep(name, lookup);
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
