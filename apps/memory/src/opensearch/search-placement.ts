import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';

/** Where a memory's lexical index is, or on its way to; see the migration. */
export type SearchPhase = 'segments' | 'filling' | 'serving' | 'leaving';

export interface SearchPlacement {
  phase: SearchPhase;
  keepsSegments: boolean;
  /** The last chunk that was copied; null when nothing is being copied. */
  copiedTo: string | null;
}

interface PlacementRow {
  phase: SearchPhase;
  keeps_segments: boolean;
  copied_to: string | null;
}

const COLUMNS = 'phase, keeps_segments, copied_to';

/** As the snapshot sees it; null for a memory that nothing was written to since its engine has a cluster. */
export async function readPlacement(tx: Tx, { tenantId, memoryId }: MemoryScope): Promise<SearchPlacement | null> {
  const rows = await tx.query<PlacementRow>({
    name: 'search_placement_read',
    text: `SELECT ${COLUMNS} FROM search_placements WHERE tenant_id = $1 AND memory_id = $2`,
    values: [tenantId, memoryId],
  });
  return placementOf(rows[0]);
}

/**
 * The placement, which stays what it is until the caller's transaction ends. A memory without one gets it: what has
 * segments stays in PostgreSQL, a new memory begins in the cluster.
 */
export async function holdPlacement(
  tx: Tx,
  { tenantId, memoryId }: MemoryScope,
  keepsSegments: boolean,
): Promise<SearchPlacement> {
  for (;;) {
    const rows = await tx.query<PlacementRow>({
      name: 'search_placement_hold',
      text: `SELECT ${COLUMNS} FROM search_placements WHERE tenant_id = $1 AND memory_id = $2 FOR SHARE`,
      values: [tenantId, memoryId],
    });
    const placement = placementOf(rows[0]);
    if (placement !== null) return placement;
    await tx.execute(
      `INSERT INTO search_placements (tenant_id, memory_id, phase, keeps_segments)
       SELECT $1, $2, CASE WHEN EXISTS (SELECT FROM index_memories WHERE tenant_id = $1 AND memory_id = $2)
                           THEN 'segments' ELSE 'serving' END, $3
       ON CONFLICT (tenant_id, memory_id) DO NOTHING`,
      [tenantId, memoryId, keepsSegments],
    );
  }
}

/** The placement for who is about to change it: nobody writes to the memory until the transaction ends. */
export async function lockPlacement(tx: Tx, { tenantId, memoryId }: MemoryScope): Promise<SearchPlacement | null> {
  const rows = await tx.query<PlacementRow>(
    `SELECT ${COLUMNS} FROM search_placements WHERE tenant_id = $1 AND memory_id = $2 FOR UPDATE`,
    [tenantId, memoryId],
  );
  return placementOf(rows[0]);
}

export async function savePlacement(
  tx: Tx,
  { tenantId, memoryId }: MemoryScope,
  { phase, keepsSegments, copiedTo }: SearchPlacement,
): Promise<void> {
  await tx.execute(
    `UPDATE search_placements SET phase = $3, keeps_segments = $4, copied_to = $5
      WHERE tenant_id = $1 AND memory_id = $2`,
    [tenantId, memoryId, phase, keepsSegments, copiedTo],
  );
}

export async function deletePlacement(tx: Tx, { tenantId, memoryId }: MemoryScope): Promise<void> {
  await tx.execute('DELETE FROM search_placements WHERE tenant_id = $1 AND memory_id = $2', [tenantId, memoryId]);
}

/** Memories with something to copy or to take away. Needs the worker role. */
export async function unsettledMemories(tx: Tx): Promise<MemoryScope[]> {
  const rows = await tx.query<{ tenant_id: string; memory_id: string }>(
    `SELECT tenant_id, memory_id FROM search_placements
      WHERE copied_to IS NOT NULL
         OR (phase = 'serving' AND NOT keeps_segments
             AND EXISTS (SELECT FROM index_memories
                          WHERE index_memories.tenant_id = search_placements.tenant_id
                            AND index_memories.memory_id = search_placements.memory_id))
      ORDER BY tenant_id, memory_id LIMIT 100`,
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, memoryId: row.memory_id }));
}

function placementOf(row: PlacementRow | undefined): SearchPlacement | null {
  if (row === undefined) return null;
  return { phase: row.phase, keepsSegments: row.keeps_segments, copiedTo: row.copied_to };
}
