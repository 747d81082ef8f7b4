import type { ENTITY_SORTS } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { escapeLike, type Tx } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { describeEntities } from './describe-entities.ts';
import { cursorOf, type EntityPlace, placeOf } from './entity-order.ts';
import { normalForm } from '../names/normal-form.ts';
import { inVaults, seesAll, type Visibility, visibilityOf } from '../../memories/visibility.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import type { GraphDeps } from './graph-deps.ts';
import { presentEntity, type GraphMetrics } from './present-entity.ts';

type EntitySort = (typeof ENTITY_SORTS)[number];

/** Entities looked through for a type in one request, at most. */
const CANDIDATES_MAX = 400;

/** Entities by name: exact ones first, then those that begin so, then those that hold the words; or as they are sorted. */
export async function listEntities(
  deps: GraphDeps,
  context: RequestContext<typeof operations.listEntities>,
): Promise<JsonResponse<typeof operations.listEntities>> {
  const { memory_id, query, type, limit, sort, cursor } = context.query;
  const memory = await deps.memories.resolve(context, { memory_id });
  const after = cursor === undefined ? null : placeOf(cursor);
  return deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const visible = visibilityOf(memory, closedVaults);
    const rows = type === undefined ? limit : CANDIDATES_MAX;
    const norm = query === undefined ? '' : normalForm(query);
    const found = await searchNames(tx, memory, { norm, type: type ?? null, visible, sort, after, rows: rows + 1 });
    const described = await describeEntities(
      tx,
      memory,
      found.map((row) => row.entity_id),
      visible,
    );
    const entities = [];
    let last: FoundEntity | undefined;
    for (const row of found.slice(0, rows)) {
      if (entities.length === limit) break;
      last = row;
      const entity = described.get(row.entity_id);
      // A name's class is not yet the type of its entity, which may have other names.
      if (entity === undefined || (type !== undefined && entity.type !== type)) continue;
      const { community_id, centrality } = row;
      entities.push(presentEntity(entity, { community_id, centrality }, visible));
    }
    const more = last !== undefined && last !== found.at(-1);
    return { body: { entities, ...(more ? { next_cursor: cursorOf(last!) } : {}) } };
  });
}

type FoundEntity = EntityPlace & GraphMetrics;

interface Wanted {
  norm: string;
  type: string | null;
  visible: Visibility;
  sort: EntitySort;
  after: EntityPlace | null;
  rows: number;
}

/**
 * What each order is made of; what is greatest first counts below zero. Sums over the whole memory would tell the key
 * of one space about documents that it does not see, so that they are counted for it.
 */
function orderOf(sort: EntitySort, visible: Visibility): string {
  const all = seesAll(visible);
  const seen = `mention.tenant_id = $1 AND mention.memory_id = $2 AND mention.name_no = name.name_no AND ${inVaults('mention.vault_id', 6, 7)}`;
  const order = {
    relevance: all
      ? ['min(place)', '-max(centrality)', '-max(documents)', `''`]
      : ['min(place)', '0', '0', 'min(norm)'],
    name: ['0', '0', '0', 'min(norm)'],
    mentions: [
      all ? '-sum(chunks)' : `-sum((SELECT count(*) FROM graph_mentions AS mention WHERE ${seen}))`,
      '0',
      '0',
      `''`,
    ],
    newest: [
      all
        ? '-extract(epoch FROM min(created_at))'
        : `-extract(epoch FROM min((SELECT min(document.created_at) FROM graph_mentions AS mention
            JOIN documents AS document USING (tenant_id, memory_id, doc_id) WHERE ${seen})))`,
      '0',
      '0',
      `''`,
    ],
  }[sort];
  return `(${order[0]})::float8 AS place, (${order[1]})::float8 AS rank, (${order[2]})::float8 AS tie, (${order[3]})::text COLLATE "C" AS norm`;
}

/** Entities in an order, those that the caller sees something of. */
export async function searchNames(tx: Tx, scope: MemoryScope, wanted: Wanted): Promise<FoundEntity[]> {
  const pattern = escapeLike(wanted.norm);
  const { after, visible } = wanted;
  return tx.query<FoundEntity>(
    `SELECT * FROM (
       SELECT entity_id, max(centrality)::float8 AS centrality, max(community_id) AS community_id, ${orderOf(wanted.sort, visible)}
         FROM (SELECT name_no, entity_id, norm, centrality, community_id, documents, chunks, created_at,
                      CASE WHEN norm = $3 THEN 0 WHEN norm LIKE $4 || '%' THEN 1 ELSE 2 END AS place
                 FROM graph_names AS own
                WHERE tenant_id = $1 AND memory_id = $2 AND norm LIKE '%' || $4 || '%'
                  AND ($5::text IS NULL OR class = $5 OR $5 IN ('concept', 'other') AND class = 'other')
                  AND (($6::text[] IS NULL AND $7::text[] = '{}') OR EXISTS (
                        SELECT FROM graph_mentions AS m WHERE m.tenant_id = $1 AND m.memory_id = $2 AND m.name_no = own.name_no AND ${inVaults('m.vault_id', 6, 7)}))
              ) AS name
        GROUP BY entity_id) AS entity
      WHERE $8::float8 IS NULL OR (place, rank, tie, norm, entity_id) > ($8, $9::float8, $10::float8, $11::text COLLATE "C", $12::text)
      ORDER BY place, rank, tie, norm, entity_id LIMIT $13`,
    [
      scope.tenantId,
      scope.memoryId,
      wanted.norm,
      pattern,
      wanted.type,
      visible.vaults,
      visible.hidden,
      after?.place ?? null,
      after?.rank ?? 0,
      after?.tie ?? 0,
      after?.norm ?? '',
      after?.entity_id ?? '',
      wanted.rows,
    ],
  );
}
