import type { Tx } from '@cairn/postgres';
import { traceparentOf } from '@cairn/telemetry';
import type { DocumentRow } from '../documents/document-store.ts';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { wakeWorkers } from './queue.ts';

const SWEPT_AT_ONCE = 500;

/** What is kept of a failed document. */
export interface FailedContent {
  doc_id: string;
  bytes: number;
  is_indexed: boolean;
}

/**
 * Keeps what was submitted of a document that failed, sealed as it is in the queue, so that it can be tried again: for
 * some days, and an address, which takes no room, as long as the document. Before the document leaves the queue.
 */
export async function storeFailedContent(
  tx: Tx,
  scope: MemoryScope,
  docId: string,
  retentionDays: number,
): Promise<void> {
  await tx.execute(
    `INSERT INTO failed_content (tenant_id, memory_id, doc_id, payload, bytes, lane, keep_until)
     SELECT tenant_id, memory_id, doc_id, payload, bytes, lane,
            CASE WHEN bytes > 0 THEN now() + make_interval(days => $4::int) END
       FROM ingest_queue WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3 AND content IS NULL AND (bytes = 0 OR $4::int > 0)
     ON CONFLICT (tenant_id, memory_id, doc_id) DO UPDATE
       SET payload = excluded.payload, bytes = excluded.bytes, lane = excluded.lane, keep_until = excluded.keep_until`,
    [scope.tenantId, scope.memoryId, docId, retentionDays],
  );
}

/** What is kept of the documents, by id. */
export async function failedContentOf(
  tx: Tx,
  scope: MemoryScope,
  docIds: readonly string[],
): Promise<Map<string, FailedContent>> {
  const rows = await tx.query<FailedContent>(
    `SELECT doc_id, bytes, payload IS NULL AS is_indexed FROM failed_content
      WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3) AND (keep_until IS NULL OR keep_until > now())`,
    [scope.tenantId, scope.memoryId, docIds],
  );
  return new Map(rows.map((row) => [row.doc_id, row]));
}

/** Queues a failed document again with what is kept of it; lock it before. */
export async function queueAgain(
  tx: Tx,
  scope: MemoryScope,
  { doc_id: docId }: Pick<DocumentRow, 'doc_id'>,
  { is_indexed: isIndexed }: FailedContent,
): Promise<void> {
  const { tenantId, memoryId } = scope;
  await tx.execute(
    `UPDATE documents SET status = $4, error_code = NULL, error_message = NULL, updated_at = now()
      WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3`,
    [tenantId, memoryId, docId, isIndexed ? 'linking' : 'queued'],
  );
  await tx.execute(
    `WITH kept AS (DELETE FROM failed_content WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3 RETURNING *)
     INSERT INTO ingest_queue (tenant_id, memory_id, doc_id, payload, bytes, lane, traceparent)
       SELECT tenant_id, memory_id, doc_id, payload, bytes, lane, $4 FROM kept`,
    [tenantId, memoryId, docId, traceparentOf()],
  );
  await wakeWorkers(tx);
}

/** Deletes what was kept long enough. True when there may be more. */
export async function sweepFailedContent(tx: Tx): Promise<boolean> {
  const swept = await tx.execute(
    `DELETE FROM failed_content WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM failed_content WHERE keep_until < now() ORDER BY keep_until LIMIT $1))`,
    [SWEPT_AT_ONCE],
  );
  return swept === SWEPT_AT_ONCE;
}
