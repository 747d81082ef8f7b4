import { type Bearer, namesOf, namesOfNarrowed, type Narrowing } from './narrowing.ts';

export interface SeenOptions {
  nowMs: () => number;
  /** Longer than the longest narrowing takes: from then on the database speaks for itself. */
  denyKeptMs: number;
  /** Longer than a resolve may take. */
  recheckKeptMs: number;
  /** Names written down at most. */
  max: number;
}

/** What a gateway was told to deny or to look at anew. */
export interface NarrowingsSeen {
  /** Writes a narrowing down; false when there is no room, and then nothing that is known may be used. */
  add(narrowing: Narrowing): boolean;
  /** Where the record stands now; a resolve that begins remembers it. */
  position(): number;
  isDenied(bearer: Bearer): boolean;
  /** True when what was learnt from a resolve that began at the position may have been narrowed since. */
  isOutdated(bearer: Bearer, since: number): boolean;
}

export function createNarrowingsSeen(options: SeenOptions): NarrowingsSeen {
  const denied = new Map<string, number>();
  const rechecked = new Map<string, { position: number; untilMs: number }>();
  let position = 0;

  function makeRoom(): boolean {
    if (denied.size + rechecked.size < options.max) return true;
    const now = options.nowMs();
    for (const [name, untilMs] of denied) if (untilMs <= now) denied.delete(name);
    for (const [name, entry] of rechecked) if (entry.untilMs <= now) rechecked.delete(name);
    return denied.size + rechecked.size < options.max;
  }

  return {
    add({ narrowed, effect }) {
      position += 1;
      for (const name of namesOfNarrowed(narrowed)) {
        if (!makeRoom()) return false;
        rechecked.set(name, { position, untilMs: options.nowMs() + options.recheckKeptMs });
        if (effect === 'deny') denied.set(name, options.nowMs() + options.denyKeptMs);
      }
      return true;
    },
    position: () => position,
    isDenied(bearer) {
      if (denied.size === 0) return false;
      const now = options.nowMs();
      return namesOf(bearer).some((name) => (denied.get(name) ?? -Infinity) > now);
    },
    isOutdated(bearer, since) {
      if (since === position) return false;
      return namesOf(bearer).some((name) => (rechecked.get(name)?.position ?? 0) > since);
    },
  };
}
