import { createStatementReader, type StatementReader } from '../answer/statement-reader.ts';
import { createNeighbourCache, type NeighbourCache } from '../graph/signal/known-neighbours.ts';
import { type ChunkReader, createChunkReader } from '../ranking/chunk-terms.ts';

/** What a process keeps of texts and graphs between searches, over all memories. */
export interface SearchCaches {
  reader: ChunkReader;
  statements: StatementReader;
  neighbours: NeighbourCache;
  /** Lets go of what was not read for long: what was erased is never read again. */
  purgeIdle(): void;
}

export function createSearchCaches(): SearchCaches {
  const reader = createChunkReader();
  const statements = createStatementReader();
  const neighbours = createNeighbourCache();
  return {
    ...{ reader, statements, neighbours },
    purgeIdle: () => [reader, statements, neighbours].forEach((cache) => cache.purgeIdle()),
  };
}
