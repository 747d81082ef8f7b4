import { createHash } from 'node:crypto';
import type { Tx } from '@cairn/postgres';
import type { ReadStatement } from '../extract/extraction.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import type { LinkedChunk } from '../store/linked-chunk.ts';

/** What a model said of a chunk, as far as the text bears it out. */
export interface ChunkReading {
  doc_id: string;
  chunk_id: string;
  text_sha256: Buffer;
  statements: ReadStatement[];
}

/** Rises when a model is asked otherwise, or its answers are judged otherwise. */
const READING_VERSION = 1;

/** Equal for equal texts under one model: asked once. */
export function textDigest(chunk: Pick<LinkedChunk, 'title_path' | 'body'>, model: string): Buffer {
  return createHash('sha256')
    .update(`${READING_VERSION} ${model}\u0000${chunk.title_path}\u0000${chunk.body}`)
    .digest();
}

export function readingsOf(tx: Tx, scope: MemoryScope, docIds: readonly string[]): Promise<ChunkReading[]> {
  return tx.query<ChunkReading>(
    `SELECT doc_id, chunk_id, text_sha256, statements FROM graph_readings
      WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3)`,
    [scope.tenantId, scope.memoryId, docIds],
  );
}

/** Readings of the same texts in other chunks of the memory, by digest in hexadecimal. */
export async function readingsByText(
  tx: Tx,
  scope: MemoryScope,
  digests: readonly Buffer[],
): Promise<Map<string, ReadStatement[]>> {
  const rows = await tx.query<Pick<ChunkReading, 'text_sha256' | 'statements'>>(
    `SELECT DISTINCT ON (text_sha256) text_sha256, statements FROM graph_readings
      WHERE tenant_id = $1 AND memory_id = $2 AND text_sha256 = ANY($3)`,
    [scope.tenantId, scope.memoryId, digests],
  );
  return new Map(rows.map((row) => [row.text_sha256.toString('hex'), row.statements]));
}

export async function storeReadings(tx: Tx, scope: MemoryScope, readings: readonly ChunkReading[]): Promise<void> {
  if (readings.length === 0) return;
  // Only of chunks that are there: a document that was deleted meanwhile leaves nothing behind.
  await tx.execute(
    `INSERT INTO graph_readings (tenant_id, memory_id, doc_id, chunk_id, text_sha256, statements)
     SELECT $1, $2, read.* FROM unnest($3::text[], $4::text[], $5::bytea[], $6::jsonb[]) AS read (doc_id, chunk_id, digest, statements)
       JOIN chunks ON chunks.tenant_id = $1 AND chunks.memory_id = $2 AND chunks.doc_id = read.doc_id AND chunks.chunk_id = read.chunk_id
        FOR KEY SHARE OF chunks
     ON CONFLICT (tenant_id, memory_id, doc_id, chunk_id) DO UPDATE
       SET text_sha256 = excluded.text_sha256, statements = excluded.statements`,
    [
      scope.tenantId,
      scope.memoryId,
      readings.map((reading) => reading.doc_id),
      readings.map((reading) => reading.chunk_id),
      readings.map((reading) => reading.text_sha256),
      readings.map((reading) => JSON.stringify(reading.statements)),
    ],
  );
}

/** Assigns to chunks that have a new id what was read in them under the one before. */
export async function moveReadings(
  tx: Tx,
  scope: MemoryScope,
  docId: string,
  moved: readonly { from: string; to: string }[],
): Promise<void> {
  await tx.execute(
    `UPDATE graph_readings SET chunk_id = moved.after
       FROM unnest($4::text[], $5::text[]) AS moved (before, after)
      WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3 AND chunk_id = moved.before`,
    [scope.tenantId, scope.memoryId, docId, moved.map(({ from }) => from), moved.map(({ to }) => to)],
  );
}

/** Forgets what was read in chunks of the documents that are not among `chunkIds`. */
export async function dropReadings(
  tx: Tx,
  scope: MemoryScope,
  docIds: readonly string[],
  chunkIds: readonly string[],
): Promise<void> {
  await tx.execute(
    `DELETE FROM graph_readings WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3) AND chunk_id <> ALL($4)`,
    [scope.tenantId, scope.memoryId, docIds, chunkIds],
  );
}
