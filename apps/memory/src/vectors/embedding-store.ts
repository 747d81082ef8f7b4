import type { Tx } from '@cairn/postgres';
import { fromBytes, toBytes, toVectorText } from './vector-bytes.ts';
import { hasPgvector } from './nearest-chunks.ts';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { isSettled } from '../memories/moving-memories.ts';

/** A chunk that waits for its vector. */
export interface WaitingChunk {
  tenant_id: string;
  memory_id: string;
  chunk_id: string;
  attempts: number;
  title_path: string;
  context_prefix: string;
  body: string;
  workspace_id: string;
  livemode: boolean;
}

/** Takes due chunks of one memory, each for the time of a lease; nobody else takes them meanwhile. */
export async function claimWaiting(tx: Tx, max: number, leaseMs: number): Promise<WaitingChunk[]> {
  return tx.query<WaitingChunk>(
    `WITH first AS (SELECT tenant_id, memory_id FROM embedding_queue AS waiting
                   WHERE due_at <= now() AND ${isSettled('waiting')} ORDER BY due_at LIMIT 1),
          due AS (SELECT queue.tenant_id, queue.memory_id, queue.chunk_id
                    FROM embedding_queue AS queue JOIN first USING (tenant_id, memory_id)
                   WHERE queue.due_at <= now() ORDER BY queue.due_at LIMIT $1 FOR UPDATE OF queue SKIP LOCKED),
          claimed AS (UPDATE embedding_queue AS queue
                         SET due_at = now() + $2 * interval '1 millisecond', attempts = attempts + 1
                        FROM due WHERE (queue.tenant_id, queue.memory_id, queue.chunk_id) = (due.tenant_id, due.memory_id, due.chunk_id)
                   RETURNING queue.tenant_id, queue.memory_id, queue.chunk_id, queue.attempts)
     SELECT claimed.*, chunk.title_path, chunk.context_prefix, chunk.body, document.workspace_id, document.livemode
       FROM claimed JOIN chunks AS chunk USING (tenant_id, memory_id, chunk_id)
       JOIN documents AS document ON document.tenant_id = chunk.tenant_id AND document.memory_id = chunk.memory_id AND document.doc_id = chunk.doc_id`,
    [max, leaseMs],
  );
}

/** Vectors that the tenant's texts have already, by the hash of the text in hex. */
export async function knownVectors(
  tx: Tx,
  model: string,
  hashes: readonly Buffer[],
): Promise<Map<string, Float32Array>> {
  const rows = await tx.query<{ text_sha256: Buffer; vector: Buffer }>(
    `SELECT DISTINCT ON (text_sha256) text_sha256, vector FROM chunk_embeddings
      WHERE tenant_id = current_tenant() AND model = $1 AND text_sha256 = ANY($2::bytea[])`,
    [model, hashes],
  );
  return new Map(rows.map((row) => [row.text_sha256.toString('hex'), fromBytes(row.vector)]));
}

interface NewVector {
  chunkId: string;
  textSha256: Buffer;
  vector: Float32Array;
}

/** Stores vectors of chunks that still exist, and removes the chunks from the queue. */
export async function storeVectors(
  tx: Tx,
  scope: MemoryScope,
  model: string,
  rows: readonly NewVector[],
): Promise<void> {
  const ids = rows.map((row) => row.chunkId);
  const pgvector = await hasPgvector(tx);
  await tx.execute(
    `INSERT INTO chunk_embeddings (tenant_id, memory_id, chunk_id, model, text_sha256, vector${pgvector ? ', embedding' : ''})
     SELECT $1, $2, chunk.chunk_id, $3, added.text_sha256, added.vector${pgvector ? ', added.embedding::vector' : ''}
       FROM unnest($4::text[], $5::bytea[], $6::bytea[]${pgvector ? ', $7::text[]' : ''}) AS added (chunk_id, text_sha256, vector${pgvector ? ', embedding' : ''})
       JOIN chunks AS chunk ON chunk.tenant_id = $1 AND chunk.memory_id = $2 AND chunk.chunk_id = added.chunk_id
     ON CONFLICT (tenant_id, memory_id, chunk_id, model) DO NOTHING`,
    [
      scope.tenantId,
      scope.memoryId,
      model,
      ids,
      rows.map((row) => row.textSha256),
      rows.map((row) => toBytes(row.vector)),
      ...(pgvector ? [rows.map((row) => toVectorText(row.vector))] : []),
    ],
  );
  await tx.execute('DELETE FROM embedding_queue WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id = ANY($3)', [
    scope.tenantId,
    scope.memoryId,
    ids,
  ]);
}

/** Stores some of the vectors from before pgvector was installed in its column, too; returns how many. */
export async function convertVectors(tx: Tx, max: number): Promise<number> {
  if (!(await hasPgvector(tx))) return 0;
  const rows = await tx.query<ChunkPlace & { model: string; vector: Buffer }>(
    `SELECT tenant_id, memory_id, chunk_id, model, vector FROM chunk_embeddings WHERE embedding IS NULL
      LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [max],
  );
  if (rows.length === 0) return 0;
  return tx.execute(
    `UPDATE chunk_embeddings AS stored SET embedding = converted.embedding::vector
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
              AS converted (tenant_id, memory_id, chunk_id, model, embedding)
      WHERE (stored.tenant_id, stored.memory_id, stored.chunk_id, stored.model)
          = (converted.tenant_id, converted.memory_id, converted.chunk_id, converted.model)`,
    [
      rows.map((row) => row.tenant_id),
      rows.map((row) => row.memory_id),
      rows.map((row) => row.chunk_id),
      rows.map((row) => row.model),
      rows.map((row) => toVectorText(fromBytes(row.vector))),
    ],
  );
}

/** Tries chunks again later. */
export async function postponeChunks(tx: Tx, chunks: readonly WaitingChunk[], delayMs: number): Promise<void> {
  for (const [, group] of Map.groupBy(chunks, (chunk) => `${chunk.tenant_id} ${chunk.memory_id}`))
    await tx.execute(
      `UPDATE embedding_queue SET due_at = now() + $4 * interval '1 millisecond'
        WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id = ANY($3)`,
      [group[0]!.tenant_id, group[0]!.memory_id, group.map((chunk) => chunk.chunk_id), delayMs],
    );
}

/** Says which model's vectors are wanted from now on; true while older chunks are still to be queued for it. */
export async function selectEmbeddingModel(tx: Tx, model: { name: string; dimensions: number }): Promise<boolean> {
  await tx.execute('DELETE FROM embedding_models WHERE model <> $1', [model.name]);
  const rows = await tx.query<{ backfilled: boolean }>(
    `INSERT INTO embedding_models (model, dimensions) VALUES ($1, $2)
     ON CONFLICT (model) DO UPDATE SET dimensions = excluded.dimensions RETURNING backfilled`,
    [model.name, model.dimensions],
  );
  return !rows[0]!.backfilled;
}

/** No vectors are wanted: nothing is queued from now on, and what waited is forgotten. Vectors stay for another day. */
export async function disableEmbedding(tx: Tx): Promise<void> {
  if ((await tx.execute('DELETE FROM embedding_models')) > 0) await tx.execute('DELETE FROM embedding_queue');
}

export interface ChunkPlace {
  tenant_id: string;
  memory_id: string;
  chunk_id: string;
}

/** Queues a page of chunks that lack the model's vector; returns the last one looked at, null at the end. */
export async function queueMissing(
  tx: Tx,
  model: string,
  after: ChunkPlace | null,
  pageRows: number,
): Promise<ChunkPlace | null> {
  const rows = await tx.query<ChunkPlace>(
    `WITH page AS MATERIALIZED (
       SELECT tenant_id, memory_id, chunk_id FROM chunks WHERE (tenant_id, memory_id, chunk_id) > ($1, $2, $3)
        ORDER BY tenant_id, memory_id, chunk_id LIMIT $4),
     queued AS (
       INSERT INTO embedding_queue (tenant_id, memory_id, chunk_id)
       SELECT * FROM page WHERE NOT EXISTS (SELECT 1 FROM chunk_embeddings AS known
         WHERE (known.tenant_id, known.memory_id, known.chunk_id, known.model) = (page.tenant_id, page.memory_id, page.chunk_id, $5))
       ON CONFLICT DO NOTHING)
     SELECT * FROM page ORDER BY tenant_id DESC, memory_id DESC, chunk_id DESC LIMIT 1`,
    [after?.tenant_id ?? '', after?.memory_id ?? '', after?.chunk_id ?? '', pageRows, model],
  );
  return rows[0] ?? null;
}

export async function markBackfilled(tx: Tx, model: string): Promise<void> {
  await tx.execute('UPDATE embedding_models SET backfilled = true WHERE model = $1', [model]);
}

/** Deletes some vectors of models that are wanted no more; false when none is left. */
export async function dropOldVectors(tx: Tx, model: string, max: number): Promise<boolean> {
  const dropped = await tx.execute(
    'DELETE FROM chunk_embeddings WHERE ctid = ANY (ARRAY(SELECT ctid FROM chunk_embeddings WHERE model <> $1 LIMIT $2))',
    [model, max],
  );
  return dropped > 0;
}
