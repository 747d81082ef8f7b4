import type { Database } from '@cairn/postgres';
import type { MemoryScope } from '../../../../../apps/memory/src/memories/memory-scope.ts';

export interface RandomGraphSize {
  entities: number;
  links: number;
  /** Neighbours of the one hub. */
  hub: number;
}

const TYPES = "ARRAY['co_occurs', 'works_for', 'led_by', 'located_in', 'member_of']";

/** Entity ids of the graph; the first is the hub. */
export function entityIdOf(entity: number): string {
  return `ent_${String(entity).padStart(8, '0')}`;
}

/** Stores a graph of one hub and links whose ends are drawn with a long tail, as the service would have stored it. */
export async function storeRandomGraph(admin: Database, scope: MemoryScope, size: RandomGraphSize): Promise<void> {
  const values = [scope.tenantId, scope.memoryId];
  await admin.withTenant(scope.tenantId, async (tx) => {
    await tx.execute('SET LOCAL statement_timeout = 0');
    await tx.execute('SELECT setseed(0.25)');
    await tx.execute(
      `INSERT INTO graph_memories (tenant_id, memory_id, workspace_id, livemode, revision) VALUES ($1, $2, 'ws_bench', true, 1)`,
      values,
    );
    // Of the change that made revision 1.
    await tx.execute(
      `INSERT INTO graph_changes (tenant_id, memory_id, revision, changed_at, names) VALUES ($1, $2, 1, now(), '{}')`,
      values,
    );
    await tx.execute(
      `INSERT INTO graph_names (tenant_id, memory_id, name_no, norm, class, entity_id, chunks, documents, forms, centrality)
       OVERRIDING SYSTEM VALUE
       SELECT $1, $2, n, 'name ' || n, 'other', 'ent_' || lpad((n - 1)::text, 8, '0'), 1, 1, jsonb_build_object('Name ' || n, 1), random()
         FROM generate_series(1, $3::int) AS n`,
      [...values, size.entities],
    );
    await tx.execute(
      `INSERT INTO graph_links (tenant_id, memory_id, source, target, type, vault_id, weight)
       SELECT $1, $2, 1, n + 1, 'co_occurs', 'vlt_bench', 10 FROM generate_series(1, $3::int) AS n`,
      [...values, size.hub],
    );
    await tx.execute(
      `INSERT INTO graph_links (tenant_id, memory_id, source, target, type, vault_id, weight)
       SELECT $1, $2, 1 + floor($4 * power(random(), 2))::int, 1 + floor($4 * random())::int, (${TYPES})[1 + floor(random() * 5)::int], 'vlt_bench', 10 + floor(random() * 90)
         FROM generate_series(1, $3::int) ON CONFLICT DO NOTHING`,
      [...values, size.links - size.hub, size.entities],
    );
  });
}
