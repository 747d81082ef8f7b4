import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';

/** Where a memory's lexical index is, or on its way to; see the migration. */
export type SearchPhase = 'segments' | 'filling' | 'serving' | 'leaving';

export interface SearchPlacement {
  phase: SearchPhase;
  keepsSegments: boolean;
  /** The last chunk that was copied; null when nothing is being copied. */
  copiedTo: string | null;
  /** The cluster has lost what it had of the memory, and answers nothing until that was copied. */
  isLost: boolean;
}

/** What a search needs to know. */
export interface ReadPlacement extends SearchPlacement {
  /** The last change of documents that were completed without the cluster; null when all of them were sent. */
  behindTo: string | null;
}

interface PlacementRow {
  phase: SearchPhase;
  keeps_segments: boolean;
  copied_to: string | null;
  is_lost: boolean;
  behind_to: string | null;
}

const COLUMNS = 'phase, keeps_segments, copied_to, is_lost, behind_to';

/** As the snapshot sees it; null for a memory that nothing was written to yet, or not since there are placements. */
export async function readPlacement(tx: Tx, { tenantId, memoryId }: MemoryScope): Promise<ReadPlacement | null> {
  const rows = await tx.query<PlacementRow>({
    name: 'search_placement_read',
    text: `SELECT ${COLUMNS} FROM index_placements WHERE tenant_id = $1 AND memory_id = $2`,
    values: [tenantId, memoryId],
  });
  return placementOf(rows[0]);
}

/**
 * The placement, which stays what it is until the caller's transaction ends. A memory without one gets it: what has
 * segments stays in PostgreSQL, a new memory begins where new ones do.
 */
export async function holdPlacement(
  tx: Tx,
  { tenantId, memoryId }: MemoryScope,
  begins: Pick<SearchPlacement, 'phase' | 'keepsSegments'>,
): Promise<SearchPlacement> {
  for (;;) {
    const rows = await tx.query<PlacementRow>({
      name: 'search_placement_hold',
      text: `SELECT ${COLUMNS} FROM index_placements WHERE tenant_id = $1 AND memory_id = $2 FOR SHARE`,
      values: [tenantId, memoryId],
    });
    const placement = placementOf(rows[0]);
    if (placement !== null) return placement;
    await tx.execute(
      `INSERT INTO index_placements (tenant_id, memory_id, phase, keeps_segments)
       SELECT $1, $2, CASE WHEN EXISTS (SELECT FROM index_memories WHERE tenant_id = $1 AND memory_id = $2)
                           THEN 'segments' ELSE $3 END, $4
       ON CONFLICT (tenant_id, memory_id) DO NOTHING`,
      [tenantId, memoryId, begins.phase, begins.keepsSegments],
    );
  }
}

/** The placement for who is about to change it: nobody writes to the memory until the transaction ends. */
export async function lockPlacement(tx: Tx, { tenantId, memoryId }: MemoryScope): Promise<SearchPlacement | null> {
  const rows = await tx.query<PlacementRow>(
    `SELECT ${COLUMNS} FROM index_placements WHERE tenant_id = $1 AND memory_id = $2 FOR UPDATE`,
    [tenantId, memoryId],
  );
  return placementOf(rows[0]);
}

export async function savePlacement(
  tx: Tx,
  { tenantId, memoryId }: MemoryScope,
  { phase, keepsSegments, copiedTo, isLost }: SearchPlacement,
): Promise<void> {
  await tx.execute(
    `UPDATE index_placements SET phase = $3, keeps_segments = $4, copied_to = $5, is_lost = $6
      WHERE tenant_id = $1 AND memory_id = $2`,
    [tenantId, memoryId, phase, keepsSegments, copiedTo, isLost],
  );
}

export async function deletePlacement(tx: Tx, { tenantId, memoryId }: MemoryScope): Promise<void> {
  await tx.execute('DELETE FROM index_placements WHERE tenant_id = $1 AND memory_id = $2', [tenantId, memoryId]);
}

/** Whether the cluster has anything of the memory. Otherwise there may be none. */
export function isInCluster(placement: SearchPlacement | null): placement is SearchPlacement {
  return placement !== null && (placement.phase !== 'segments' || placement.copiedTo !== null);
}

/** Documents up to a change are complete although the cluster does not have them. */
export async function recordIndexLag(tx: Tx, { tenantId, memoryId }: MemoryScope, changeNo: string): Promise<void> {
  await tx.execute(
    `UPDATE index_placements SET behind_to = greatest(behind_to, $3::bigint)
      WHERE tenant_id = $1 AND memory_id = $2`,
    [tenantId, memoryId, changeNo],
  );
}

/** Once the cluster has all of them. */
export async function clearIndexLag(tx: Tx, { tenantId, memoryId }: MemoryScope): Promise<void> {
  await tx.execute(
    `UPDATE index_placements SET behind_to = NULL
      WHERE tenant_id = $1 AND memory_id = $2 AND behind_to IS NOT NULL
        AND NOT EXISTS (SELECT FROM search_changes
                         WHERE tenant_id = $1 AND memory_id = $2 AND change_no <= index_placements.behind_to)`,
    [tenantId, memoryId],
  );
}

/** The first memories after one with something to copy or to take away, in order. Needs the worker role. */
export async function unsettledMemories(tx: Tx, after: MemoryScope | null, limit: number): Promise<MemoryScope[]> {
  const rows = await tx.query<{ tenant_id: string; memory_id: string }>(
    `SELECT tenant_id, memory_id FROM index_placements
      WHERE (tenant_id, memory_id) > ($1, $2)
        AND (copied_to IS NOT NULL
         OR (phase = 'serving' AND NOT keeps_segments
             AND EXISTS (SELECT FROM index_memories
                          WHERE index_memories.tenant_id = index_placements.tenant_id
                            AND index_memories.memory_id = index_placements.memory_id)))
      ORDER BY tenant_id, memory_id LIMIT $3`,
    [after?.tenantId ?? '', after?.memoryId ?? '', limit],
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, memoryId: row.memory_id }));
}

function placementOf(row: PlacementRow | undefined): ReadPlacement | null {
  if (row === undefined) return null;
  const { phase, keeps_segments: keepsSegments, copied_to: copiedTo, is_lost: isLost, behind_to: behindTo } = row;
  return { phase, keepsSegments, copiedTo, isLost, behindTo };
}
