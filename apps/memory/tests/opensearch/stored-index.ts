import { createHash } from 'node:crypto';
import type { Tx } from '@cairn/postgres';
import type { IndexChunk, SearchIndex } from '@cairn/search-index';
import { insertChunks } from '../../src/documents/chunk-store.ts';
import type { MemoryScope } from '../../src/memories/memory-scope.ts';

/** The index, and with every call the rows that the service would write: OpenSearch is sent what PostgreSQL has. */
export function storedIndex(index: SearchIndex): SearchIndex {
  return {
    ...index,
    async add(tx, memory, chunks) {
      await storeChunks(tx, memory, chunks);
      await index.add(tx, memory, chunks);
    },
    async remove(tx, memory, chunkIds) {
      await tx.execute('DELETE FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id = ANY($3)', [
        memory.tenantId,
        memory.memoryId,
        chunkIds,
      ]);
      await index.remove(tx, memory, chunkIds);
    },
    async drop(tx, memory) {
      for (const table of ['chunks', 'documents'])
        await tx.execute(`DELETE FROM ${table} WHERE tenant_id = $1 AND memory_id = $2`, [
          memory.tenantId,
          memory.memoryId,
        ]);
      return index.drop(tx, memory);
    },
  };
}

async function storeChunks(tx: Tx, memory: MemoryScope, chunks: readonly IndexChunk[]): Promise<void> {
  const documents = [...new Map(chunks.map((chunk) => [chunk.docId, chunk])).values()];
  await tx.execute(
    `INSERT INTO documents (tenant_id, memory_id, doc_id, workspace_id, livemode, vault_id, title, media_type,
                            content_sha256, content_bytes, status, created_at)
     SELECT $1, $2, doc_id, 'wsp_1', true, 'vlt_1', '', 'text/plain', sha, 1, 'completed', created_at
       FROM unnest($3::text[], $4::bytea[], $5::timestamptz[]) AS new (doc_id, sha, created_at)
     ON CONFLICT DO NOTHING`,
    [
      memory.tenantId,
      memory.memoryId,
      documents.map((chunk) => chunk.docId),
      documents.map((chunk) => createHash('sha256').update(chunk.docId).digest()),
      documents.map((chunk) => new Date(chunk.createdAtMs)),
    ],
  );
  await insertChunks(
    tx,
    memory,
    chunks.map((chunk, ordinal) => ({
      chunk_id: chunk.chunkId,
      doc_id: chunk.docId,
      vault_id: chunk.vaultId,
      ordinal,
      title_path: chunk.titlePath,
      context_prefix: chunk.contextPrefix,
      body: chunk.body,
      body_sha256: createHash('sha256').update(chunk.body).digest(),
      location: {},
      occurred_at: chunk.occurredAtMs === null ? null : new Date(chunk.occurredAtMs),
    })),
  );
}
