import type { Tx } from '@cairn/postgres';
import { namesOfEntities, type NameRow } from '../store/name-store.ts';
import { withStatements } from '../store/statement-counts.ts';
import { withVisibleForms } from '../store/visible-forms.ts';
import { presentNames, type EntityLabel } from './present-names.ts';
import { isCurrent } from '../store/fact-store.ts';
import { inVaults, seesAll, type Visibility } from '../../memories/visibility.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';

/** An entity as the caller may see it. */
interface NamedEntity extends EntityLabel {
  entity_id: string;
  documents: number;
}

export interface EntityDescription extends NamedEntity {
  attributes: Record<string, unknown>;
}

const ATTRIBUTES_MAX = 12;

/** Names, types, counts and attributes of entities; those that the caller sees nothing of are left out. */
export async function describeEntities(
  tx: Tx,
  scope: MemoryScope,
  entityIds: readonly string[],
  visible: Visibility,
): Promise<Map<string, EntityDescription>> {
  // Neither needs the other's answer: they are sent together.
  const [named, attributes] = await Promise.all([
    nameEntities(tx, scope, entityIds, visible),
    attributesOf(tx, scope, entityIds, visible),
  ]);
  return new Map(
    [...named].map(([entityId, entity]) => [entityId, { ...entity, attributes: attributes.get(entityId) ?? {} }]),
  );
}

/** Names, types and counts of entities alone. */
export async function nameEntities(
  tx: Tx,
  scope: MemoryScope,
  entityIds: readonly string[],
  visible: Visibility,
): Promise<Map<string, NamedEntity>> {
  const names = await namesByEntity(tx, scope, entityIds, visible);
  const several = [...names.values()].filter((group) => group.length > 1 || !seesAll(visible)).flat();
  const counts = await documentCounts(tx, scope, several, visible);
  const described = new Map<string, NamedEntity>();
  for (const [entityId, group] of names) {
    const seen = seesAll(visible) ? group : group.filter((name) => counts.byName.has(name.name_no));
    if (seen.length === 0) continue;
    const documents = counts.byEntity.get(entityId) ?? group[0]!.documents;
    described.set(entityId, { entity_id: entityId, ...presentNames(seen), documents });
  }
  return described;
}

/** Names and types of entities, without what has to be counted where the caller sees all. */
export async function presentEntities(
  tx: Tx,
  scope: MemoryScope,
  entityIds: readonly string[],
  visible: Visibility,
): Promise<Map<string, EntityLabel>> {
  if (!seesAll(visible)) return nameEntities(tx, scope, entityIds, visible);
  const names = await namesByEntity(tx, scope, entityIds, visible);
  return new Map([...names].map(([entityId, group]) => [entityId, presentNames(group)]));
}

async function namesByEntity(tx: Tx, scope: MemoryScope, entityIds: readonly string[], visible: Visibility) {
  const stored = await withVisibleForms(tx, scope, await namesOfEntities(tx, scope, entityIds), visible);
  const names = await withStatements(tx, scope, stored, visible);
  return Map.groupBy(names, (name) => name.entity_id);
}

/** Documents of names and of entities. An entity of one name has its name's count, unless a part is not to be seen. */
async function documentCounts(tx: Tx, scope: MemoryScope, names: readonly NameRow[], visible: Visibility) {
  const byName = new Set<number>();
  const byEntity = new Map<string, number>();
  if (names.length === 0) return { byName, byEntity };
  const rows = await tx.query<{ entity_id: string; documents: number; numbers: string[] }>({
    name: 'graph_document_counts',
    text: `SELECT entity AS entity_id, count(DISTINCT doc_id)::int AS documents, array_agg(DISTINCT no) AS numbers
             FROM unnest($3::bigint[], $4::text[]) AS name (no, entity)
             JOIN graph_mentions ON tenant_id = $1 AND memory_id = $2 AND name_no = no AND ${inVaults('vault_id', 5, 6)}
            GROUP BY entity`,
    values: [
      scope.tenantId,
      scope.memoryId,
      names.map((name) => name.name_no),
      names.map((name) => name.entity_id),
      visible.vaults,
      visible.hidden,
    ],
  });
  for (const row of rows) {
    byEntity.set(row.entity_id, row.documents);
    for (const no of row.numbers) byName.add(Number(no));
  }
  return { byName, byEntity };
}

/**
 * What documents say of entities, by relation: one value, or several. What is said to have ended is shown only where
 * nothing is said to hold, and nothing is shown after its last day or before its first.
 */
async function attributesOf(
  tx: Tx,
  scope: MemoryScope,
  entityIds: readonly string[],
  visible: Visibility,
): Promise<Map<string, Record<string, unknown>>> {
  const rows = await tx.query<{ entity_id: string; relation: string; values: string[] }>({
    name: 'graph_attributes',
    text: `SELECT entity_id, relation, COALESCE(array_agg(DISTINCT value_text) FILTER (WHERE NOT ended), array_agg(DISTINCT value_text)) AS values FROM (
             SELECT DISTINCT w AS entity_id, fact.relation, fact.value_text, fact.ended FROM unnest($3::text[]) AS wanted (w)
              CROSS JOIN LATERAL (SELECT name_no FROM graph_names WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND entity_id = w OFFSET 0) AS own
              CROSS JOIN LATERAL (SELECT relation, value_text, ended FROM graph_facts
                                   WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND subject_no = own.name_no AND NOT negated AND (valid_to IS NULL OR valid_to > now() - interval '1 day') AND (valid_from IS NULL OR valid_from < now() + interval '1 day') AND ${isCurrent('graph_facts', 4, 5)}
                                     AND ${inVaults('vault_id', 4, 5)} ORDER BY relation, fact_id LIMIT ${ATTRIBUTES_MAX}) AS fact) AS said
            GROUP BY entity_id, relation`,
    values: [scope.tenantId, scope.memoryId, entityIds, visible.vaults, visible.hidden],
  });
  const attributes = new Map<string, Record<string, unknown>>();
  for (const { entity_id, relation, values } of rows) {
    const known = attributes.get(entity_id) ?? {};
    known[relation] = values.length === 1 ? values[0] : values;
    attributes.set(entity_id, known);
  }
  return attributes;
}
