import { validationFailed } from '@cairn/errors';
import type { Engines } from '../memories/engines.ts';
import type { TargetMemory } from '../memories/memory-scope.ts';
import { findPassages, type PassageDeps } from '../search/find-passages.ts';
import { timeWindowOf } from '../search/time-window.ts';

const LIMIT_MAX = 100;

export interface SearchChunksDeps {
  engines: Engines;
  passages: PassageDeps;
  now: () => number;
}

/** The passages that a search finds, with its signals and the graph; without embeddings, which only callers' searches pay for. */
export async function searchChunks(
  deps: SearchChunksDeps,
  memory: TargetMemory,
  request: { query: string; limit: number },
  signal: AbortSignal,
) {
  if (request.limit < 1 || request.limit > LIMIT_MAX)
    throw validationFailed([{ path: 'limit', message: `must be 1 to ${LIMIT_MAX}` }]);
  return deps.engines.read(memory, async (open) => {
    const { closedVaults } = open;
    const { passages } = await findPassages(open, deps.passages, memory, {
      text: request.query,
      limit: request.limit,
      filter: closedVaults.size === 0 ? undefined : { not: { vaultIds: [...closedVaults] } },
      expansions: [],
      window: timeWindowOf(request.query, deps.now()),
      near: [],
      explain: false,
      onlyHits: false,
      signal,
    });
    const chunks = passages.map(({ chunk, score }) => ({
      chunkId: chunk.chunk_id,
      docId: chunk.doc_id,
      title: chunk.title,
      text: chunk.body,
      score,
      sourceUri: chunk.source_uri ?? '',
      occurredAt: chunk.occurred_at?.toISOString() ?? '',
    }));
    return { chunks };
  });
}
