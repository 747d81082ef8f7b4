import type { Tx } from '@cairn/postgres';
import type { Value } from '../extract/values.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import { inVaults, seesAll, type Visibility } from '../../memories/visibility.ts';

export interface FactRow {
  fact_id: string;
  doc_id: string;
  chunk_id: string;
  vault_id: string;
  subject_no: number;
  relation: string;
  object_no: number | null;
  value_text: string;
  value: Value;
  negated: boolean;
  confidence: number;
  quote: string;
  quote_start: number;
  quote_end: number;
  valid_from: Date | null;
  valid_to: Date | null;
  /** Its text says that it holds no longer. */
  ended: boolean;
  observed_at: Date | null;
  superseded_by: string | null;
}

/** A fact with the entities that its names are now. */
export interface FactOfEntity extends FactRow {
  entity_id: string;
  object_entity_id: string | null;
}

const COLUMNS =
  'fact_id, doc_id, chunk_id, vault_id, subject_no, relation, object_no, value_text, value, negated, confidence, quote, quote_start, quote_end, valid_from, valid_to, observed_at, ended, superseded_by';
/** Of the statements about one relation of one name, the newest that are compared with each other. */
const COMPARED_MAX = 100;
/** Of the statements about one name, the newest that are shown with its entity. */
const SHOWN_MAX = 300;

export async function insertFacts(tx: Tx, scope: MemoryScope, rows: readonly FactRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute({
    name: 'graph_facts_insert',
    text: `INSERT INTO graph_facts (tenant_id, memory_id, ${COLUMNS.replace(', superseded_by', '')})
           SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::bigint[], $10::text[],
             $11::jsonb[], $12::boolean[], $13::float8[], $14::text[], $15::int[], $16::int[], $17::timestamptz[], $18::timestamptz[], $19::timestamptz[], $20::boolean[])`,
    values: [
      scope.tenantId,
      scope.memoryId,
      rows.map((row) => row.fact_id),
      rows.map((row) => row.doc_id),
      rows.map((row) => row.chunk_id),
      rows.map((row) => row.vault_id),
      rows.map((row) => row.subject_no),
      rows.map((row) => row.relation),
      rows.map((row) => row.object_no),
      rows.map((row) => row.value_text),
      rows.map((row) => JSON.stringify(row.value)),
      rows.map((row) => row.negated),
      rows.map((row) => row.confidence),
      rows.map((row) => row.quote),
      rows.map((row) => row.quote_start),
      rows.map((row) => row.quote_end),
      rows.map((row) => row.valid_from),
      rows.map((row) => row.valid_to),
      rows.map((row) => row.observed_at),
      rows.map((row) => row.ended),
    ],
  });
}

/** Takes the facts of chunks out and returns what they were about. */
export async function deleteFactsOfChunks(
  tx: Tx,
  scope: MemoryScope,
  chunks: readonly { doc_id: string; chunk_id: string }[],
): Promise<{ subject_no: number; relation: string }[]> {
  if (chunks.length === 0) return [];
  return tx.query(
    `DELETE FROM graph_facts USING unnest($3::text[], $4::text[]) AS gone (doc, chunk)
      WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND doc_id = gone.doc AND chunk_id = gone.chunk RETURNING subject_no, relation`,
    [scope.tenantId, scope.memoryId, chunks.map((chunk) => chunk.doc_id), chunks.map((chunk) => chunk.chunk_id)],
  );
}

/** Look-ups, one for each row: a join would read all names of the memory as long as there are no statistics. */
function entityOf(nameNo: string): string {
  return `SELECT entity_id FROM graph_names WHERE tenant_id = $1 AND memory_id = $2 AND name_no = ${nameNo} OFFSET 0`;
}

const NAMES_OF_ENTITY = `CROSS JOIN LATERAL (SELECT name_no, entity_id FROM graph_names
     WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND entity_id = wanted.entity OFFSET 0) AS name`;

/** What comparing needs of a fact. */
export type ComparedFact = Pick<
  FactOfEntity,
  | 'fact_id'
  | 'entity_id'
  | 'relation'
  | 'doc_id'
  | 'vault_id'
  | 'object_entity_id'
  | 'value_text'
  | 'value'
  | 'negated'
  | 'confidence'
  | 'valid_from'
  | 'valid_to'
  | 'observed_at'
  | 'ended'
  | 'superseded_by'
>;

const COMPARED_COLUMNS =
  'fact_id, relation, doc_id, vault_id, object_no, value_text, value, negated, confidence, valid_from, valid_to, observed_at, ended, superseded_by';

/** A relation of an entity whose facts are to be compared, and which of its values two of which may exclude each other. */
export interface RelationToCompare {
  entityId: string;
  relation: string;
  texts: boolean;
  measures: boolean;
}

/**
 * The newest facts about relations of entities. Those that can neither exclude another nor be superseded are left out: of
 * what somebody founded, all may be true, unless one is denied.
 */
export async function factsToCompare(
  tx: Tx,
  scope: MemoryScope,
  wanted: readonly RelationToCompare[],
): Promise<ComparedFact[]> {
  if (wanted.length === 0) return [];
  return tx.query<ComparedFact>({
    name: 'graph_facts_to_compare',
    text: `WITH wanted AS (SELECT * FROM unnest($3::text[], $4::text[], $5::boolean[], $6::boolean[]) AS wanted (entity, relation, texts, measures))
  SELECT fact.entity_id, object.entity_id AS object_entity_id, ${COMPARED_COLUMNS} FROM (
    SELECT name.entity_id, wanted.texts, wanted.measures, fact.*,
           bool_or(fact.negated) OVER (PARTITION BY name.entity_id, fact.relation) AS denied
      FROM wanted ${NAMES_OF_ENTITY}
     CROSS JOIN LATERAL (SELECT ${COMPARED_COLUMNS} FROM graph_facts
                          WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND subject_no = name.name_no AND relation = wanted.relation
                          ORDER BY fact_id DESC LIMIT ${COMPARED_MAX}) AS fact) AS fact
    LEFT JOIN LATERAL (${entityOf('fact.object_no')}) AS object ON true
   WHERE denied OR superseded_by IS NOT NULL OR CASE value->>'kind' WHEN 'text' THEN texts ELSE measures END
   ORDER BY fact_id`,
    values: [
      scope.tenantId,
      scope.memoryId,
      wanted.map((each) => each.entityId),
      wanted.map((each) => each.relation),
      wanted.map((each) => each.texts),
      wanted.map((each) => each.measures),
    ],
  });
}

/** The relations that something is said of, of entities. */
export async function relationsOfEntities(
  tx: Tx,
  scope: MemoryScope,
  entityIds: readonly string[],
): Promise<{ entityId: string; relation: string }[]> {
  if (entityIds.length === 0) return [];
  return tx.query({
    name: 'graph_relations_of',
    text: `SELECT DISTINCT name.entity_id AS "entityId", fact.relation FROM unnest($3::text[]) AS wanted (entity) ${NAMES_OF_ENTITY}
   CROSS JOIN LATERAL (SELECT relation FROM graph_facts
                        WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND subject_no = name.name_no) AS fact`,
    values: [scope.tenantId, scope.memoryId, entityIds],
  });
}

/**
 * SQL: no fact that the caller sees has taken the place of a fact of this table or alias; vaults as in `inVaults`. Where
 * the caller sees all, nothing is looked up.
 */
export function isCurrent(fact: string, vaults: number, hidden: number): string {
  return `(${fact}.superseded_by IS NULL OR (($${vaults}::text[] IS NOT NULL OR cardinality($${hidden}::text[]) > 0)
            AND NOT EXISTS (SELECT FROM graph_facts AS later WHERE later.tenant_id = $1 AND later.memory_id = $2
                               AND later.fact_id = ${fact}.superseded_by AND ${inVaults('later.vault_id', vaults, hidden)})))`;
}

/** Which of these facts the caller sees. */
export async function visibleFacts(
  tx: Tx,
  scope: MemoryScope,
  factIds: readonly string[],
  visible: Visibility,
): Promise<Set<string>> {
  if (seesAll(visible) || factIds.length === 0) return new Set(factIds);
  const rows = await tx.query<{ fact_id: string }>({
    name: 'graph_visible_facts',
    text: `SELECT fact_id FROM graph_facts WHERE tenant_id = $1 AND memory_id = $2 AND fact_id = ANY($3) AND ${inVaults('vault_id', 4, 5)}`,
    values: [scope.tenantId, scope.memoryId, factIds, visible.vaults, visible.hidden],
  });
  return new Set(rows.map((row) => row.fact_id));
}

/** The newest facts about an entity that the caller sees, in the order of their ids. */
export async function factsOfEntity(
  tx: Tx,
  scope: MemoryScope,
  entityId: string,
  visible: Visibility,
): Promise<FactOfEntity[]> {
  return tx.query<FactOfEntity>({
    name: 'graph_facts_of_entity',
    text: `SELECT name.entity_id, object.entity_id AS object_entity_id, fact.* FROM (SELECT $3::text AS entity) AS wanted ${NAMES_OF_ENTITY}
   CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM graph_facts
                        WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND subject_no = name.name_no AND ${inVaults('vault_id', 4, 5)}
                        ORDER BY fact_id DESC LIMIT ${SHOWN_MAX}) AS fact
   LEFT JOIN LATERAL (${entityOf('fact.object_no')}) AS object ON true
   ORDER BY fact.fact_id`,
    values: [scope.tenantId, scope.memoryId, entityId, visible.vaults, visible.hidden],
  });
}

/** Says of facts of documents that they are about other names; returns what they were and are about. */
export async function renameFacts(
  tx: Tx,
  scope: MemoryScope,
  changes: readonly { docId: string; from: number; to: number }[],
): Promise<{ subject_no: number; relation: string }[]> {
  if (changes.length === 0) return [];
  const values = [
    scope.tenantId,
    scope.memoryId,
    changes.map((change) => change.docId),
    changes.map((change) => change.from),
    changes.map((change) => change.to),
  ];
  const renamed = (column: string) =>
    `UPDATE graph_facts SET ${column} = changed.after FROM unnest($3::text[], $4::bigint[], $5::bigint[]) AS changed (doc, before, after)
      WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND doc_id = changed.doc AND ${column} = changed.before`;
  const subjects = await tx.query<{ before: number; after: number; relation: string }>(
    `${renamed('subject_no')} RETURNING changed.before, changed.after, relation`,
    values,
  );
  const objects = await tx.query<{ subject_no: number; relation: string }>(
    `${renamed('object_no')} RETURNING subject_no, relation`,
    values,
  );
  return [
    ...subjects.flatMap(({ before, after, relation }) =>
      [before, after].map((subject_no) => ({ subject_no, relation })),
    ),
    ...objects,
  ];
}

/** Relations whose values are these names. */
export async function relationsToObjects(
  tx: Tx,
  scope: MemoryScope,
  numbers: readonly number[],
): Promise<{ entityId: string; relation: string }[]> {
  if (numbers.length === 0) return [];
  return tx.query({
    name: 'graph_facts_to_objects',
    text: `SELECT DISTINCT name.entity_id AS "entityId", fact.relation
             FROM graph_facts AS fact JOIN graph_names AS name USING (tenant_id, memory_id)
            WHERE fact.tenant_id IS NOT DISTINCT FROM $1 AND fact.memory_id IS NOT DISTINCT FROM $2 AND fact.object_no = ANY($3) AND name.name_no = fact.subject_no`,
    values: [scope.tenantId, scope.memoryId, numbers],
  });
}

export async function factsById(tx: Tx, scope: MemoryScope, factIds: readonly string[]): Promise<FactOfEntity[]> {
  if (factIds.length === 0) return [];
  return tx.query<FactOfEntity>({
    name: 'graph_facts_by_id',
    text: `SELECT name.entity_id, object.entity_id AS object_entity_id, fact.*
             FROM unnest($3::text[]) AS wanted (w)
            CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM graph_facts WHERE tenant_id = $1 AND memory_id = $2 AND fact_id = w OFFSET 0) AS fact
            CROSS JOIN LATERAL (${entityOf('fact.subject_no')}) AS name
             LEFT JOIN LATERAL (${entityOf('fact.object_no')}) AS object ON true
            ORDER BY fact.fact_id`,
    values: [scope.tenantId, scope.memoryId, factIds],
  });
}

/** Facts that the caller sees, in the order of their ids. */
export async function factsAfter(
  tx: Tx,
  scope: MemoryScope,
  { after, rows, visible }: { after: string; rows: number; visible: Visibility },
): Promise<FactOfEntity[]> {
  return tx.query<FactOfEntity>({
    name: 'graph_facts_after',
    text: `SELECT name.entity_id, object.entity_id AS object_entity_id, fact.*
             FROM (SELECT ${COLUMNS} FROM graph_facts WHERE tenant_id = $1 AND memory_id = $2 AND fact_id > $3 AND ${inVaults('vault_id', 4, 5)}
                    ORDER BY fact_id LIMIT $6) AS fact
            CROSS JOIN LATERAL (${entityOf('fact.subject_no')}) AS name
             LEFT JOIN LATERAL (${entityOf('fact.object_no')}) AS object ON true
            ORDER BY fact.fact_id`,
    values: [scope.tenantId, scope.memoryId, after, visible.vaults, visible.hidden, rows],
  });
}

export async function supersede(
  tx: Tx,
  scope: MemoryScope,
  changes: readonly { factId: string; by: string | null }[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.execute(
    `UPDATE graph_facts SET superseded_by = changed.by FROM unnest($3::text[], $4::text[]) AS changed (id, by)
      WHERE tenant_id = $1 AND memory_id = $2 AND fact_id = changed.id`,
    [scope.tenantId, scope.memoryId, changes.map((change) => change.factId), changes.map((change) => change.by)],
  );
}
