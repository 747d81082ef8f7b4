import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';

/** How a waiting document is getting on. */
export interface QueueState {
  doc_id: string;
  attempts: number;
  cause: string | null;
  /** When it is tried again, if it is not its turn yet. */
  next_attempt_at: Date | null;
}

/** How those of the documents that are in the queue are getting on, by id. */
export async function queueStates(
  tx: Tx,
  scope: MemoryScope,
  docIds: readonly string[],
): Promise<Map<string, QueueState>> {
  if (docIds.length === 0) return new Map();
  const rows = await tx.query<QueueState>(
    `SELECT doc_id, attempts, cause, CASE WHEN due_at > now() THEN due_at END AS next_attempt_at
       FROM ingest_queue WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3)`,
    [scope.tenantId, scope.memoryId, docIds],
  );
  return new Map(rows.map((row) => [row.doc_id, row]));
}

/** Removes the documents from the queue; a worker that holds one of them finds its claim gone. */
export async function dequeue(tx: Tx, scope: MemoryScope, docIds: readonly string[]): Promise<void> {
  await tx.execute({
    name: 'ingest_dequeue',
    text: 'DELETE FROM ingest_queue WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3)',
    values: [scope.tenantId, scope.memoryId, docIds],
  });
}
