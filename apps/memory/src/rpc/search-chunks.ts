import { validationFailed } from '@cairn/errors';
import { findChunks } from '../documents/chunk-store.ts';
import type { Engines } from '../memories/engines.ts';
import type { TargetMemory } from '../memories/memory-scope.ts';

const LIMIT_MAX = 100;

export async function searchChunks(
  deps: { engines: Engines },
  memory: TargetMemory,
  request: { query: string; limit: number },
  signal: AbortSignal,
) {
  if (request.limit < 1 || request.limit > LIMIT_MAX)
    throw validationFailed([{ path: 'limit', message: `must be 1 to ${LIMIT_MAX}` }]);
  return deps.engines.read(memory, async ({ tx, index, closedVaults }) => {
    const hits = await index.search(tx, memory, {
      text: request.query,
      limit: request.limit,
      signal,
      ...(closedVaults.size === 0 ? {} : { filter: { not: { vaultIds: [...closedVaults] } } }),
    });
    const found = await findChunks(tx, memory, hits);
    const chunks = hits.flatMap((hit) => {
      const chunk = found.get(hit.chunkId);
      if (chunk === undefined) return [];
      return {
        chunkId: chunk.chunk_id,
        docId: chunk.doc_id,
        title: chunk.title,
        text: chunk.body,
        score: hit.score,
        sourceUri: chunk.source_uri ?? '',
        occurredAt: chunk.occurred_at?.toISOString() ?? '',
      };
    });
    return { chunks };
  });
}
