import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';

/** A request that timed out is repeated by the client, and may still be carried out a while after that. */
const ENDS_WITHIN_SECONDS = 300;

/** Before it is read what is to be sent: waits while the memory is being deleted from the cluster. */
export async function shareSends(tx: Tx, memory: MemoryScope): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [lockName(memory)]);
}

/** Announces, in the transaction that shares them and before the chunks are read, that these will be sent. */
export async function beginSend(tx: Tx, memory: MemoryScope): Promise<string> {
  const values = [memory.tenantId, memory.memoryId];
  await tx.execute(
    'DELETE FROM index_sends WHERE tenant_id = $1 AND memory_id = $2 AND ends_by < clock_timestamp()',
    values,
  );
  const [row] = await tx.query<{ send_no: string }>(
    `INSERT INTO index_sends (tenant_id, memory_id, ends_by)
     VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3)) RETURNING send_no`,
    [...values, ENDS_WITHIN_SECONDS],
  );
  return row!.send_no;
}

/** The cluster has answered, or was never asked. */
export async function endSend(tx: Tx, memory: MemoryScope, sendNo: string): Promise<void> {
  await tx.execute('DELETE FROM index_sends WHERE tenant_id = $1 AND memory_id = $2 AND send_no = $3', [
    memory.tenantId,
    memory.memoryId,
    sendNo,
  ]);
}

/** Keeps new requests away until the transaction ends. */
export async function holdSends(tx: Tx, memory: MemoryScope): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lockName(memory)]);
}

/** Whether a request may still be carried out; with `before`, one that began no later. */
export async function isBeingSent(tx: Tx, memory: MemoryScope, before?: Date): Promise<boolean> {
  // Dates have milliseconds, rows microseconds.
  const rows = await tx.query(
    `SELECT 1 FROM index_sends
      WHERE tenant_id = $1 AND memory_id = $2 AND ends_by > clock_timestamp()
        AND ($3::timestamptz IS NULL OR since <= $3::timestamptz + interval '1 millisecond') LIMIT 1`,
    [memory.tenantId, memory.memoryId, before ?? null],
  );
  return rows.length > 0;
}

/** Of a memory that is not in the cluster any more. */
export async function clearSends(tx: Tx, memory: MemoryScope): Promise<void> {
  await tx.execute('DELETE FROM index_sends WHERE tenant_id = $1 AND memory_id = $2', [
    memory.tenantId,
    memory.memoryId,
  ]);
}

function lockName({ tenantId, memoryId }: MemoryScope): string {
  return `index sends ${tenantId}/${memoryId}`;
}
