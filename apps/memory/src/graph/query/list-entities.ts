import type * as operations from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { describeEntities } from './describe-entities.ts';
import { normalForm } from '../names/normal-form.ts';
import { inVaults, seesAll, type Visibility, visibilityOf } from '../../memories/visibility.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import type { GraphDeps } from './graph-deps.ts';
import { presentEntity, type GraphMetrics } from './present-entity.ts';

/** Rows that are looked through for a name, at most, before they are ordered. */
const CANDIDATES_MAX = 2_000;

/** Entities by name: exact ones first, then those that begin so, then those that hold the words; else the most central. */
export async function listEntities(
  deps: GraphDeps,
  context: RequestContext<typeof operations.listEntities>,
): Promise<JsonResponse<typeof operations.listEntities>> {
  const { memory_id, query, type, limit } = context.query;
  const memory = await deps.memories.resolve(context, { memory_id });
  return deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const visible = visibilityOf(memory, closedVaults);
    const found = await searchNames(tx, memory, {
      norm: query === undefined ? '' : normalForm(query),
      type: type ?? null,
      visible,
    });
    const described = await describeEntities(
      tx,
      memory,
      found.map((row) => row.entity_id),
      visible,
    );
    const entities = found.flatMap((row) => {
      const entity = described.get(row.entity_id);
      return entity === undefined || (type !== undefined && entity.type !== type)
        ? []
        : [presentEntity(entity, row, visible)];
    });
    return { body: { entities: entities.slice(0, limit) } };
  });
}

interface FoundEntity extends GraphMetrics {
  entity_id: string;
}

async function searchNames(
  tx: Tx,
  scope: MemoryScope,
  wanted: { norm: string; type: string | null; visible: Visibility },
): Promise<FoundEntity[]> {
  const pattern = wanted.norm.replace(/[\\%_]/g, '\\$&');
  const order = seesAll(wanted.visible) ? 'max(centrality) DESC, max(documents) DESC' : 'min(norm)';
  return tx.query<FoundEntity>(
    `SELECT entity_id, max(centrality)::float8 AS centrality, max(community_id) AS community_id FROM (
       SELECT entity_id, norm, centrality, community_id, documents,
              CASE WHEN norm = $3 THEN 0 WHEN norm LIKE $4 || '%' THEN 1 ELSE 2 END AS place
         FROM graph_names AS name
        WHERE tenant_id = $1 AND memory_id = $2 AND norm LIKE '%' || $4 || '%'
          AND ($5::text IS NULL OR class = $5 OR $5 IN ('concept', 'other') AND class = 'other')
          AND (($6::text[] IS NULL AND $7::text[] = '{}') OR EXISTS (
                SELECT FROM graph_mentions AS m WHERE m.tenant_id = $1 AND m.memory_id = $2 AND m.name_no = name.name_no AND ${inVaults('m.vault_id', 6, 7)}))
        ORDER BY place, centrality DESC, norm LIMIT ${CANDIDATES_MAX}) AS found
      GROUP BY entity_id ORDER BY min(place), ${order}, entity_id LIMIT 400`,
    [scope.tenantId, scope.memoryId, wanted.norm, pattern, wanted.type, wanted.visible.vaults, wanted.visible.hidden],
  );
}
