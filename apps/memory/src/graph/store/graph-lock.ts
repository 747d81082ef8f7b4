import type { Tx } from '@cairn/postgres';
import { EXTRACTOR_VERSION } from '../extract/extraction.ts';
import type { MemoryScope, AttributedMemory } from '../../memories/memory-scope.ts';

/**
 * Holds the graph of a memory until the transaction ends: whoever changes it takes turns. Everyone locks in the order
 * document, queue, chunks, graph, index.
 */
export async function lockGraph(tx: Tx, memory: AttributedMemory): Promise<void> {
  const values = [memory.tenantId, memory.memoryId];
  const held = await tx.query({ name: 'graph_lock', text: LOCK, values });
  if (held.length > 0) return;
  await tx.execute(
    `INSERT INTO graph_memories (tenant_id, memory_id, workspace_id, livemode, extractor_version)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [...values, memory.workspaceId, memory.livemode, EXTRACTOR_VERSION],
  );
  await tx.query({ name: 'graph_lock', text: LOCK, values });
}

const LOCK = 'SELECT 1 FROM graph_memories WHERE tenant_id = $1 AND memory_id = $2 FOR UPDATE';

/** Holds the graph of a memory that has one; null for one that never had. */
export async function lockKnownGraph(tx: Tx, scope: MemoryScope): Promise<AttributedMemory | null> {
  const rows = await tx.query<{ workspace_id: string; livemode: boolean }>(
    'SELECT workspace_id, livemode FROM graph_memories WHERE tenant_id = $1 AND memory_id = $2 FOR UPDATE',
    [scope.tenantId, scope.memoryId],
  );
  const row = rows[0];
  return row === undefined ? null : { ...scope, workspaceId: row.workspace_id, livemode: row.livemode };
}

/** Changes whose names are stored. */
const CHANGES_MAX = 200;

/**
 * Increments the graph's revision, so that whatever is derived from it is computed again, and keeps which names the
 * change touched: those that came, went or became another entity's, and both ends of each link that came, went or weighs
 * something else.
 */
export async function recordGraphChange(tx: Tx, scope: MemoryScope, names: ReadonlySet<number>): Promise<void> {
  await tx.execute({
    name: 'graph_touch',
    text: `WITH touched AS (
             UPDATE graph_memories SET revision = revision + 1, changed_at = now() WHERE tenant_id = $1 AND memory_id = $2
             RETURNING revision, changed_at),
           outdated AS (
             DELETE FROM graph_changes USING touched
              WHERE tenant_id = $1 AND memory_id = $2 AND graph_changes.revision <= touched.revision - ${CHANGES_MAX})
           INSERT INTO graph_changes (tenant_id, memory_id, revision, changed_at, names)
           SELECT $1, $2, revision, changed_at, $3::bigint[] FROM touched`,
    values: [scope.tenantId, scope.memoryId, [...names]],
  });
}

/** Says that all of a memory was read by this version of the extractor. */
export async function setExtractorVersion(tx: Tx, scope: MemoryScope): Promise<void> {
  await tx.execute('UPDATE graph_memories SET extractor_version = $3 WHERE tenant_id = $1 AND memory_id = $2', [
    scope.tenantId,
    scope.memoryId,
    EXTRACTOR_VERSION,
  ]);
}
