import type { SearchIndex } from '../memories/search-index.ts';

/** `segments`, unless `isPlaced` says that memories of the engine are elsewhere: then `placed`. Asked until the answer is known. */
export function segmentsUnlessPlaced(
  segments: SearchIndex,
  placed: SearchIndex,
  isPlaced: () => Promise<boolean>,
): SearchIndex {
  let known: Promise<SearchIndex> | null = null;
  const chosen = () => {
    known ??= isPlaced().then(
      (is) => (is ? placed : segments),
      (error: unknown) => {
        known = null;
        throw error;
      },
    );
    return known;
  };
  return {
    add: async (...call) => (await chosen()).add(...call),
    remove: async (...call) => (await chosen()).remove(...call),
    drop: async (...call) => (await chosen()).drop(...call),
    expunge: async (...call) => (await chosen()).expunge(...call),
    expunged: async (...call) => (await chosen()).expunged(...call),
    search: async (...call) => (await chosen()).search(...call),
    publish: async (...call) => (await chosen()).publish(...call),
  };
}
