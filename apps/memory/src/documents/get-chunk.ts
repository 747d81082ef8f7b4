import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { reaches } from '../memories/visibility.ts';
import type { ChunkRow } from './chunk-store.ts';
import { presentChunks } from './document-content.ts';
import type { ReadDocumentsDeps } from './present-document.ts';

export async function getChunk(
  deps: ReadDocumentsDeps,
  context: RequestContext<typeof operations.getChunk>,
): Promise<JsonResponse<typeof operations.getChunk>> {
  const memory = await deps.memories.resolve(context, context.query);
  const read = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const row = await findChunk(tx, memory, context.params.chunk_id);
    if (row === null || !reaches(memory, closedVaults, row.vault_id)) return null;
    const [chunk] = await presentChunks(tx, memory, row.doc_id, [row]);
    return { row, chunk: chunk! };
  });
  if (read === null) throw notFound('The chunk');
  const { row, chunk } = read;
  return {
    body: {
      ...chunk,
      doc_id: row.doc_id,
      title: row.title,
      vault_id: row.vault_id,
      source_uri: row.source_uri,
      occurred_at: row.occurred_at?.toISOString() ?? null,
      previous_chunk_id: row.previous_chunk_id,
      next_chunk_id: row.next_chunk_id,
    },
  };
}

interface ChunkInDocument extends ChunkRow {
  title: string;
  source_uri: string | null;
  previous_chunk_id: string | null;
  next_chunk_id: string | null;
}

async function findChunk(tx: Tx, scope: MemoryScope, chunkId: string): Promise<ChunkInDocument | null> {
  const beside = (comparison: '<' | '>', direction: 'ASC' | 'DESC') =>
    `SELECT chunk_id FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = chunk.doc_id
        AND ordinal ${comparison} chunk.ordinal ORDER BY ordinal ${direction} LIMIT 1`;
  const rows = await tx.query<ChunkInDocument>({
    name: 'chunk_in_document',
    text: `SELECT chunk.*, document.title, document.source_uri,
                  (${beside('<', 'DESC')}) AS previous_chunk_id, (${beside('>', 'ASC')}) AS next_chunk_id
             FROM (SELECT * FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id = $3) AS chunk
            CROSS JOIN LATERAL (SELECT title, source_uri FROM documents
                                 WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = chunk.doc_id LIMIT 1) AS document`,
    values: [scope.tenantId, scope.memoryId, chunkId],
  });
  return rows[0] ?? null;
}
