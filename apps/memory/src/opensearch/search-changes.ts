import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';

/** A chunk to index in OpenSearch, or to delete there. */
export interface SearchChange {
  changeNo: string;
  chunkId: string;
}

/** Notes, in the caller's transaction, chunks that were added, changed or removed. */
export async function recordChanges(tx: Tx, memory: MemoryScope, chunkIds: readonly string[]): Promise<void> {
  if (chunkIds.length === 0) return;
  await tx.execute({
    name: 'search_changes_note',
    text: 'INSERT INTO search_changes (tenant_id, memory_id, chunk_id) SELECT $1, $2, * FROM unnest($3::text[])',
    values: [memory.tenantId, memory.memoryId, chunkIds],
  });
}

/** The oldest changes of a memory, and a version that is older than what is read of the chunks from now on; null without changes. */
export async function takeChanges(
  tx: Tx,
  memory: MemoryScope,
  limit: number,
): Promise<{ version: number; changes: SearchChange[] } | null> {
  const changes = await tx.query<{ change_no: string; chunk_id: string }>(
    `SELECT change_no, chunk_id FROM search_changes WHERE tenant_id = $1 AND memory_id = $2 ORDER BY change_no LIMIT $3`,
    [memory.tenantId, memory.memoryId, limit],
  );
  if (changes.length === 0) return null;
  const [next] = await tx.query<{ version: string }>('SELECT next_search_version() AS version');
  return {
    version: Number(next!.version),
    changes: changes.map((row) => ({ changeNo: row.change_no, chunkId: row.chunk_id })),
  };
}

export async function clearChanges(tx: Tx, memory: MemoryScope, changeNos: readonly string[]): Promise<void> {
  await tx.execute(
    'DELETE FROM search_changes WHERE tenant_id = $1 AND memory_id = $2 AND change_no = ANY($3::bigint[])',
    [memory.tenantId, memory.memoryId, changeNos],
  );
}

export async function clearAllChanges(tx: Tx, memory: MemoryScope): Promise<void> {
  await tx.execute('DELETE FROM search_changes WHERE tenant_id = $1 AND memory_id = $2', [
    memory.tenantId,
    memory.memoryId,
  ]);
}

/** The first change that waits, null when none does. */
export async function firstChange(tx: Tx, memory: MemoryScope): Promise<string | null> {
  return (await rangeOfChanges(tx, memory)).first;
}

/** The last change that was committed, null when none waits. */
export async function lastChange(tx: Tx, memory: MemoryScope): Promise<string | null> {
  return (await rangeOfChanges(tx, memory)).last;
}

async function rangeOfChanges(tx: Tx, { tenantId, memoryId }: MemoryScope) {
  const [row] = await tx.query<{ first: string | null; last: string | null }>(
    `SELECT min(change_no) AS first, max(change_no) AS last FROM search_changes
      WHERE tenant_id = $1 AND memory_id = $2`,
    [tenantId, memoryId],
  );
  return row!;
}

export async function hasChangesUpTo(tx: Tx, memory: MemoryScope, changeNo: string): Promise<boolean> {
  const rows = await tx.query(
    'SELECT 1 FROM search_changes WHERE tenant_id = $1 AND memory_id = $2 AND change_no <= $3 LIMIT 1',
    [memory.tenantId, memory.memoryId, changeNo],
  );
  return rows.length > 0;
}

/** How many changes wait, counted up to a number. */
export async function countChanges(tx: Tx, memory: MemoryScope, upTo: number): Promise<number> {
  const [row] = await tx.query<{ waiting: string }>(
    `SELECT count(*) AS waiting FROM
       (SELECT FROM search_changes WHERE tenant_id = $1 AND memory_id = $2 LIMIT $3) AS changes`,
    [memory.tenantId, memory.memoryId, upTo],
  );
  return Number(row!.waiting);
}

const MEMORIES_MAX = 1_000;

/** The memories with changes; reads one index entry for each. Needs the worker role. */
export async function changedMemories(tx: Tx): Promise<MemoryScope[]> {
  const rows = await tx.query<{ tenant_id: string; memory_id: string }>(
    `WITH RECURSIVE memories AS (
       (SELECT tenant_id, memory_id FROM search_changes ORDER BY tenant_id, memory_id LIMIT 1)
       UNION ALL
       SELECT next.* FROM memories, LATERAL (
         SELECT tenant_id, memory_id FROM search_changes
          WHERE (tenant_id, memory_id) > (memories.tenant_id, memories.memory_id)
          ORDER BY tenant_id, memory_id LIMIT 1) AS next)
     SELECT * FROM memories LIMIT $1`,
    [MEMORIES_MAX],
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, memoryId: row.memory_id }));
}
