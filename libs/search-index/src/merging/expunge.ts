import type { Tx } from '@cairn/postgres';
import { shareMemory } from '../segment/tombstones.ts';
import type { IndexScope } from '../search-index.ts';

/** Orphaned pages deleted per call: 64 KB each at most. */
const ORPHANS_PER_CALL = 200;

/**
 * Makes the merger rewrite every segment that holds a deletion marked until now. Returns that time, or null when the
 * memory has no index. The caller's own marks must have been committed before.
 */
export async function requestExpunge(tx: Tx, memory: IndexScope): Promise<Date | null> {
  const rows = await tx.query<{ expunge_before: Date }>(
    `UPDATE index_memories SET expunge_before = date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond'
      WHERE tenant_id = $1 AND memory_id = $2 RETURNING expunge_before`,
    [memory.tenantId, memory.memoryId],
  );
  return rows[0]?.expunge_before ?? null;
}

/**
 * True once no page and no segment holds anything that was deleted before `mark`. Until then it deletes some of
 * what merges left behind, a bounded part per call. Readers with a snapshot keep theirs; a merge that runs right
 * now may have read what is to go, so it is fenced and starts again.
 */
export async function finishExpunge(tx: Tx, memory: IndexScope, mark: Date): Promise<boolean> {
  if (!(await shareMemory(tx, memory))) return true;
  const values = [memory.tenantId, memory.memoryId];
  const waiting = await tx.query(
    'SELECT 1 FROM index_tombstones WHERE tenant_id = $1 AND memory_id = $2 AND marked_at <= $3 LIMIT 1',
    [...values, mark],
  );
  if (waiting.length > 0) return false;
  await tx.execute('UPDATE index_merge_leases SET epoch = epoch + 1 WHERE tenant_id = $1 AND memory_id = $2', values);
  return deleteOrphans(tx, memory);
}

const ORPHANS = `FROM index_pages page
  WHERE page.tenant_id = $1 AND page.memory_id = $2 AND NOT EXISTS (
    SELECT 1 FROM index_segments s WHERE s.tenant_id = $1 AND s.memory_id = $2 AND s.segment_id = page.segment_id)`;

/** Deletes pages that no manifest names, with their garbage rows; false when more may be left. */
async function deleteOrphans(tx: Tx, memory: IndexScope): Promise<boolean> {
  const values = [memory.tenantId, memory.memoryId];
  const deleted = await tx.execute(
    `DELETE FROM index_pages WHERE ctid = ANY (ARRAY(SELECT page.ctid ${ORPHANS} LIMIT $3))`,
    [...values, ORPHANS_PER_CALL],
  );
  // A sweep may have been at the same pages: fewer than the bound does not mean that they were the last.
  if (deleted > 0 || (await tx.query(`SELECT 1 ${ORPHANS} LIMIT 1`, values)).length > 0) return false;
  await tx.execute('DELETE FROM index_garbage WHERE tenant_id = $1 AND memory_id = $2', values);
  return true;
}

/**
 * Takes a memory out of the index: out of every manifest at once, and a bounded part of its pages per call. True
 * when nothing is left of it. Merges that run find the memory gone and write no more.
 */
export async function dropIndex(tx: Tx, memory: IndexScope): Promise<{ finished: boolean; segmentIds: string[] }> {
  const values = [memory.tenantId, memory.memoryId];
  await tx.query('SELECT 1 FROM index_memories WHERE tenant_id = $1 AND memory_id = $2 FOR UPDATE', values);
  const segments = await tx.query<{ segment_id: string }>(
    'DELETE FROM index_segments WHERE tenant_id = $1 AND memory_id = $2 RETURNING segment_id',
    values,
  );
  for (const table of ['index_tombstones', 'index_merge_leases', 'index_memories'])
    await tx.execute(`DELETE FROM ${table} WHERE tenant_id = $1 AND memory_id = $2`, values);
  return { finished: await deleteOrphans(tx, memory), segmentIds: segments.map((row) => row.segment_id) };
}
