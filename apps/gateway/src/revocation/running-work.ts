import { type Bearer, namesOf, namesOfNarrowed, type Narrowed } from '@cairn/revocation';

/** What runs on credentials and would go on when they end: event streams and WebSockets. */
export interface RunningWork {
  /** Remembers how to end something; call what is returned when it has ended by itself. */
  track(bearer: Bearer, end: () => void): () => void;
  /** Ends what runs on credentials that are narrowed; gives how much that was. */
  endNarrowed(narrowed: Narrowed): number;
  endAll(): void;
}

export function createRunningWork(): RunningWork {
  const byName = new Map<string, Set<() => void>>();
  return {
    track(bearer, end) {
      const names = namesOf(bearer);
      for (const name of names) {
        const ends = byName.get(name) ?? new Set();
        ends.add(end);
        byName.set(name, ends);
      }
      return () => {
        for (const name of names) {
          const ends = byName.get(name);
          ends?.delete(end);
          if (ends?.size === 0) byName.delete(name);
        }
      };
    },
    endNarrowed(narrowed) {
      const ends = new Set(namesOfNarrowed(narrowed).flatMap((name) => [...(byName.get(name) ?? [])]));
      for (const end of ends) end();
      return ends.size;
    },
    endAll() {
      for (const end of new Set([...byName.values()].flatMap((ends) => [...ends]))) end();
    },
  };
}
