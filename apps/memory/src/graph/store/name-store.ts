import type { Tx } from '@cairn/postgres';
import { keyText, similarityKeys, type NameKey } from '../names/name-similarity.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';

export interface NameRow extends NameKey {
  name_no: number;
  entity_id: string;
  chunks: number;
  documents: number;
  forms: Record<string, number>;
}

const COLUMNS = 'name_no, norm, class, sense, entity_id, chunks, documents, forms';

/** Names by their keys; those that the memory does not have are left out. */
export async function findNames(tx: Tx, scope: MemoryScope, keys: readonly NameKey[]): Promise<Map<string, NameRow>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.query<NameRow>({
    name: 'graph_names_by_key',
    text: `SELECT ${COLUMNS} FROM unnest($3::text[], $4::text[], $5::text[]) AS wanted (w_norm, w_class, w_sense)
            CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM graph_names
                                 WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND norm = w_norm AND class = w_class AND sense = w_sense
                                OFFSET 0) AS found`,
    values: [
      scope.tenantId,
      scope.memoryId,
      keys.map((key) => key.norm),
      keys.map((key) => key.class),
      keys.map((key) => key.sense),
    ],
  });
  return new Map(rows.map((row) => [keyText(row), row]));
}

export async function namesByNumber(tx: Tx, scope: MemoryScope, numbers: readonly number[]): Promise<NameRow[]> {
  if (numbers.length === 0) return [];
  return tx.query<NameRow>({
    name: 'graph_names_by_number',
    text: `SELECT found.* FROM unnest($3::bigint[]) AS wanted (w)
            CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM graph_names
                                 WHERE tenant_id = $1 AND memory_id = $2 AND name_no = w OFFSET 0) AS found`,
    values: [scope.tenantId, scope.memoryId, [...new Set(numbers)]],
  });
}

export async function namesOfEntities(tx: Tx, scope: MemoryScope, entityIds: readonly string[]): Promise<NameRow[]> {
  if (entityIds.length === 0) return [];
  return tx.query<NameRow>({
    name: 'graph_names_by_entity',
    text: `SELECT found.* FROM unnest($3::text[]) AS wanted (w)
            CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM graph_names
                                 WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND entity_id = w OFFSET 0) AS found`,
    values: [scope.tenantId, scope.memoryId, [...new Set(entityIds)]],
  });
}

/** Names by keys as decisions keep them. */
export async function namesByKeyText(tx: Tx, scope: MemoryScope, keys: readonly string[]): Promise<NameRow[]> {
  return tx.query<NameRow>(
    `SELECT ${COLUMNS} FROM unnest($3::text[]) AS wanted (w)
      JOIN graph_names ON tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND class = split_part(w, ' ', 1) AND sense = split_part(w, ' ', 2)
                      AND norm = substr(w, length(split_part(w, ' ', 1)) + length(split_part(w, ' ', 2)) + 3)`,
    [scope.tenantId, scope.memoryId, keys],
  );
}

/** Names that share a normal form or a similarity key with one of these; at most `ALIKE_MAX` for each key. */
export async function similarNames(tx: Tx, scope: MemoryScope, names: readonly NameKey[]): Promise<NameRow[]> {
  if (names.length === 0) return [];
  const keys = names.map(similarityKeys);
  const distinct = (values: readonly (string | null)[]) => [...new Set(values.filter((value) => value !== null))];
  const by = (column: string, parameter: number) =>
    `SELECT found.* FROM unnest($${parameter}::text[]) AS wanted (w)
      CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM graph_names
                           WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND ${column} = w ORDER BY norm, class, sense LIMIT ${ALIKE_MAX}) AS found`;
  return tx.query<NameRow>({
    name: 'graph_names_alike',
    text: `${by('norm', 3)} UNION ALL ${by('key_a', 4)} UNION ALL ${by('key_b', 5)}`,
    values: [
      scope.tenantId,
      scope.memoryId,
      distinct(names.map((name) => name.norm)),
      distinct(keys.map((key) => key.a)),
      distinct(keys.map((key) => key.b)),
    ],
  });
}

const ALIKE_MAX = 60;

/** Names with numbers of their own, which are written once their entities and counts are known (`saveEntities`). */
export async function numberNames(tx: Tx, keys: readonly NameKey[]): Promise<NameRow[]> {
  if (keys.length === 0) return [];
  const numbers = await tx.query<{ no: number }>({
    name: 'graph_names_number',
    text: `SELECT nextval(series) AS no FROM (SELECT pg_get_serial_sequence('graph_names', 'name_no')::regclass AS series OFFSET 0) AS names
            CROSS JOIN generate_series(1, $1::int)`,
    values: [keys.length],
  });
  return keys.map(({ norm, class: found, sense }, at) => ({
    name_no: numbers[at]!.no,
    norm,
    class: found,
    sense,
    entity_id: '',
    chunks: 0,
    documents: 0,
    forms: {},
  }));
}

/** Writes how often names occur. */
export async function updateNameCounts(tx: Tx, scope: MemoryScope, rows: readonly NameRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute({
    name: 'graph_names_count',
    text: `UPDATE graph_names SET chunks = counted.chunks, documents = counted.documents, forms = counted.forms
             FROM unnest($3::bigint[], $4::int[], $5::int[], $6::jsonb[]) AS counted (no, chunks, documents, forms)
            WHERE tenant_id = $1 AND memory_id = $2 AND name_no = counted.no`,
    values: [
      scope.tenantId,
      scope.memoryId,
      rows.map((row) => row.name_no),
      rows.map((row) => row.chunks),
      rows.map((row) => row.documents),
      rows.map((row) => JSON.stringify(row.forms)),
    ],
  });
}

/** Writes which entities names are; new ones are inserted with all there is about them. */
export async function saveEntities(
  tx: Tx,
  scope: MemoryScope,
  changes: { added: readonly NameRow[]; moved: readonly NameRow[] },
): Promise<void> {
  await insertNames(tx, scope, changes.added);
  if (changes.moved.length === 0) return;
  await tx.execute({
    name: 'graph_names_set_entity',
    text: `UPDATE graph_names SET entity_id = changed.entity
             FROM unnest($3::bigint[], $4::text[]) AS changed (no, entity)
            WHERE tenant_id = $1 AND memory_id = $2 AND name_no = changed.no`,
    values: [
      scope.tenantId,
      scope.memoryId,
      changes.moved.map((name) => name.name_no),
      changes.moved.map((name) => name.entity_id),
    ],
  });
}

async function insertNames(tx: Tx, scope: MemoryScope, names: readonly NameRow[]): Promise<void> {
  if (names.length === 0) return;
  const keys = names.map(similarityKeys);
  await tx.execute({
    name: 'graph_names_insert',
    text: `INSERT INTO graph_names (tenant_id, memory_id, ${COLUMNS}, key_a, key_b) OVERRIDING SYSTEM VALUE
           SELECT $1, $2, * FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[], $9::int[], $10::jsonb[], $11::text[], $12::text[])`,
    values: [
      scope.tenantId,
      scope.memoryId,
      names.map((name) => name.name_no),
      names.map((name) => name.norm),
      names.map((name) => name.class),
      names.map((name) => name.sense),
      names.map((name) => name.entity_id),
      names.map((name) => name.chunks),
      names.map((name) => name.documents),
      names.map((name) => JSON.stringify(name.forms)),
      keys.map((key) => key.a),
      keys.map((key) => key.b),
    ],
  });
}

/** Takes names out that occur nowhere any more, with the reviews about them. */
export async function deleteNames(tx: Tx, scope: MemoryScope, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  const values = [scope.tenantId, scope.memoryId, numbers];
  await tx.execute('DELETE FROM graph_names WHERE tenant_id = $1 AND memory_id = $2 AND name_no = ANY($3)', values);
  await tx.execute(
    'DELETE FROM graph_reviews WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND name_a = ANY($3)',
    values,
  );
  await tx.execute(
    'DELETE FROM graph_reviews WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND name_b = ANY($3)',
    values,
  );
}
