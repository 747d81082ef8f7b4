import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../document-store.ts';
import { keyText, likenessKeys, type NameKey } from './name-likeness.ts';

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

/** Names that share a normal form or a likeness key with one of these; at most `ALIKE_MAX` for each key. */
export async function namesAlike(tx: Tx, scope: MemoryScope, names: readonly NameKey[]): Promise<NameRow[]> {
  if (names.length === 0) return [];
  const keys = names.map(likenessKeys);
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

/** Adds names without an entity; gives them with their numbers. */
export async function insertNames(tx: Tx, scope: MemoryScope, keys: readonly NameKey[]): Promise<NameRow[]> {
  if (keys.length === 0) return [];
  const likeness = keys.map(likenessKeys);
  return tx.query<NameRow>({
    name: 'graph_names_insert',
    text: `INSERT INTO graph_names (tenant_id, memory_id, entity_id, norm, class, sense, key_a, key_b)
           SELECT $1, $2, '', * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) RETURNING ${COLUMNS}`,
    values: [
      scope.tenantId,
      scope.memoryId,
      keys.map((key) => key.norm),
      keys.map((key) => key.class),
      keys.map((key) => key.sense),
      likeness.map((key) => key.a),
      likeness.map((key) => key.b),
    ],
  });
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

/** Writes which entities names are; of new ones, which `isNew` tells, also how often they occur. */
export async function setEntities(
  tx: Tx,
  scope: MemoryScope,
  changes: readonly { name: NameRow; isNew: boolean }[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.execute({
    name: 'graph_names_set_entity',
    text: `UPDATE graph_names AS name
              SET entity_id = changed.entity, chunks = coalesce(changed.chunks, name.chunks),
                  documents = coalesce(changed.documents, name.documents), forms = coalesce(changed.forms, name.forms)
             FROM unnest($3::bigint[], $4::text[], $5::int[], $6::int[], $7::jsonb[]) AS changed (no, entity, chunks, documents, forms)
            WHERE tenant_id = $1 AND memory_id = $2 AND name_no = changed.no`,
    values: [
      scope.tenantId,
      scope.memoryId,
      changes.map(({ name }) => name.name_no),
      changes.map(({ name }) => name.entity_id),
      changes.map(({ name, isNew }) => (isNew ? name.chunks : null)),
      changes.map(({ name, isNew }) => (isNew ? name.documents : null)),
      changes.map(({ name, isNew }) => (isNew ? JSON.stringify(name.forms) : null)),
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
