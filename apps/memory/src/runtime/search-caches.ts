import { createStatementReader, type StatementReader } from '../search/answer/statement-reader.ts';
import { type AdjacencyCache, createAdjacencyCache } from '../graph/adjacency/adjacency-cache.ts';
import { createNeighbourCache, type NeighbourCache } from '../graph/signal/neighbour-cache.ts';
import { type ChunkReader, createChunkReader } from '../search/ranking/chunk-terms.ts';

/** What a process keeps of texts and graphs between searches, over all memories. */
export interface SearchCaches {
  reader: ChunkReader;
  statements: StatementReader;
  neighbours: NeighbourCache;
  adjacency: AdjacencyCache;
  /** Evicts entries that were not read for long: erased content is never read again. */
  purgeIdle(): void;
}

export function createSearchCaches(
  options: {
    /** Graphs that were explored, over all memories. */
    graphMaxBytes?: number;
    onError?: (error: unknown) => void;
  } = {},
): SearchCaches {
  const reader = createChunkReader();
  const statements = createStatementReader();
  const neighbours = createNeighbourCache();
  const adjacency = createAdjacencyCache({ maxBytes: options.graphMaxBytes, onError: options.onError });
  return {
    reader,
    statements,
    neighbours,
    adjacency,
    purgeIdle: () => [reader, statements, neighbours, adjacency].forEach((cache) => cache.purgeIdle()),
  };
}
