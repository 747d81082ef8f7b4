import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from './document-store.ts';

export const INGEST_CHANNEL = 'memory_ingest';

export interface QueuedDocument {
  tenant_id: string;
  memory_id: string;
  doc_id: string;
  content: string;
  attempts: number;
}

/** Puts the text into the queue, in place of an earlier version that still waits; whoever worked on that one loses it. */
export async function enqueue(tx: Tx, scope: MemoryScope, docId: string, content: string): Promise<void> {
  await tx.execute({
    name: 'ingest_enqueue',
    text: `INSERT INTO ingest_queue (tenant_id, memory_id, doc_id, content) VALUES ($1, $2, $3, $4)
           ON CONFLICT (tenant_id, memory_id, doc_id) DO UPDATE
             SET content = excluded.content, attempts = 0, owner = NULL, lease_until = NULL, due_at = now()`,
    values: [scope.tenantId, scope.memoryId, docId, content],
  });
}

export async function wakeWorkers(tx: Tx): Promise<void> {
  await tx.query(`SELECT pg_notify('${INGEST_CHANNEL}', '')`);
}

export async function countWaiting(tx: Tx, tenantId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>('SELECT count(*) AS count FROM ingest_queue WHERE tenant_id = $1', [
    tenantId,
  ]);
  return rows[0]!.count;
}

/**
 * Takes due documents for `owner` until the lease ends; other workers pass them over. `maxBytes` bounds the
 * text taken at once; the first document is taken whatever its size.
 */
export async function claimDue(
  tx: Tx,
  claim: { owner: string; leaseMs: number; max: number; maxBytes: number },
): Promise<QueuedDocument[]> {
  return tx.query<QueuedDocument>({
    name: 'ingest_claim',
    text: `WITH due AS (
             SELECT tenant_id, memory_id, doc_id, due_at, octet_length(content) AS bytes FROM ingest_queue
              WHERE due_at <= now() AND (lease_until IS NULL OR lease_until < now())
              ORDER BY due_at, doc_id LIMIT $3 FOR UPDATE SKIP LOCKED),
           counted AS (
             SELECT *, sum(bytes) OVER (ORDER BY due_at, doc_id ROWS UNBOUNDED PRECEDING) - bytes AS before FROM due)
           UPDATE ingest_queue AS queue
              SET owner = $1, lease_until = now() + make_interval(secs => $2::float8 / 1000), attempts = attempts + 1
             FROM counted
            WHERE counted.before < $4
              AND (queue.tenant_id, queue.memory_id, queue.doc_id) = (counted.tenant_id, counted.memory_id, counted.doc_id)
           RETURNING queue.tenant_id, queue.memory_id, queue.doc_id, queue.content, queue.attempts`,
    values: [claim.owner, claim.leaseMs, claim.max, claim.maxBytes],
  });
}

/** Which of the documents `owner` still holds, locked until the transaction ends. */
export async function holdClaims(
  tx: Tx,
  scope: MemoryScope,
  owner: string,
  docIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ doc_id: string }>(
    `SELECT doc_id FROM ingest_queue WHERE tenant_id = $1 AND memory_id = $2 AND owner = $3 AND doc_id = ANY($4)
      ORDER BY doc_id FOR UPDATE`,
    [scope.tenantId, scope.memoryId, owner, docIds],
  );
  return new Set(rows.map((row) => row.doc_id));
}

export async function dequeue(tx: Tx, scope: MemoryScope, docIds: readonly string[]): Promise<void> {
  await tx.execute('DELETE FROM ingest_queue WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3)', [
    scope.tenantId,
    scope.memoryId,
    docIds,
  ]);
}

/** Gives a claim back, to be tried again after a while. */
export async function postpone(
  tx: Tx,
  scope: MemoryScope,
  owner: string,
  docId: string,
  delayMs: number,
): Promise<void> {
  await tx.execute(
    `UPDATE ingest_queue SET owner = NULL, lease_until = NULL, due_at = now() + make_interval(secs => $5::float8 / 1000)
      WHERE tenant_id = $1 AND memory_id = $2 AND owner = $3 AND doc_id = $4`,
    [scope.tenantId, scope.memoryId, owner, docId, delayMs],
  );
}
