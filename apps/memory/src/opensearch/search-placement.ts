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
  { phase, keepsSegments, copiedTo }: SearchPlacement,
): Promise<void> {
  await tx.execute(
    `UPDATE index_placements SET phase = $3, keeps_segments = $4, copied_to = $5
      WHERE tenant_id = $1 AND memory_id = $2`,
    [tenantId, memoryId, phase, keepsSegments, copiedTo],
  );
}

export async function deletePlacement(tx: Tx, { tenantId, memoryId }: MemoryScope): Promise<void> {
  await tx.execute('DELETE FROM index_placements WHERE tenant_id = $1 AND memory_id = $2', [tenantId, memoryId]);
}

/** Whether any memory of the engine is in a cluster, or on its way. Needs the worker role. */
export async function hasPlacedMemories(tx: Tx): Promise<boolean> {
  const rows = await tx.query("SELECT 1 FROM index_placements WHERE phase <> 'segments' LIMIT 1");
  return rows.length > 0;
}

/** Memories with something to copy or to take away. Needs the worker role. */
export async function unsettledMemories(tx: Tx): Promise<MemoryScope[]> {
  const rows = await tx.query<{ tenant_id: string; memory_id: string }>(
    `SELECT tenant_id, memory_id FROM index_placements
      WHERE copied_to IS NOT NULL
         OR (phase = 'serving' AND NOT keeps_segments
             AND EXISTS (SELECT FROM index_memories
                          WHERE index_memories.tenant_id = index_placements.tenant_id
                            AND index_memories.memory_id = index_placements.memory_id))
      ORDER BY tenant_id, memory_id LIMIT 100`,
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, memoryId: row.memory_id }));
}

function placementOf(row: PlacementRow | undefined): SearchPlacement | null {
  if (row === undefined) return null;
  return { phase: row.phase, keepsSegments: row.keeps_segments, copiedTo: row.copied_to };
}
