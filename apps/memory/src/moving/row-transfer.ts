import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';
import type { TableShape } from './table-shapes.ts';

// Rows travel as JSON of their columns' text, which is exact for every type, and is passed on without being parsed here.

const quoted = (name: string) => `"${name}"`;

/** Rows and bytes of them, as they are stored, that travel at once; one row at least. */
const PAGE_ROWS = 4_000;
const PAGE_BYTES = 2_000_000;

/** A page of a table's rows in the order of its keys, from after `after`; null when there is none. */
export async function readPage(
  tx: Tx,
  shape: TableShape,
  scope: MemoryScope,
  after: string[] | null,
): Promise<{ rows: string; last: string[] } | null> {
  const keys = orderedBy(shape);
  const names = keys.map(({ name }) => quoted(name)).join(', ');
  const places = keys.map(({ type }, place) => `$${place + 3}::${type}`).join(', ');
  const beyond = after === null || keys.length === 0 ? '' : `AND (${names}) > (${places})`;
  if (after !== null && keys.length === 0) return null;
  const order = keys.length === 0 ? '' : `ORDER BY ${names}`;
  // What lies outside of its row is measured without being read.
  const size = shape.columns.map(({ name }) => `coalesce(pg_column_size(${quoted(name)}), 0)`).join(' + ');
  const [read] = await tx.query<{ rows: string | null; last: string[] | null }>(
    `SELECT json_agg(page)::text AS rows, json_agg(json_build_array(${keys.map(({ name }) => `page.${quoted(name)}`).join(', ')}))->-1 AS last
       FROM (SELECT ${asText(shape)}
               FROM (SELECT *, sum(${size}) OVER (${order} ROWS UNBOUNDED PRECEDING) - (${size}) AS bytes_before
                       FROM (SELECT * FROM ${quoted(shape.name)}
                              WHERE tenant_id = $1 AND memory_id = $2 ${beyond} ${order} LIMIT ${PAGE_ROWS}) AS rows) AS t
              WHERE bytes_before < ${PAGE_BYTES}) AS page`,
    [scope.tenantId, scope.memoryId, ...(beyond === '' ? [] : after!)],
  );
  return read?.rows === undefined || read.rows === null ? null : { rows: read.rows, last: read.last ?? [] };
}

/** The rows with these keys as they are now; null when there is none. */
export async function readRows(
  tx: Tx,
  shape: TableShape,
  scope: MemoryScope,
  keys: readonly string[][],
): Promise<string | null> {
  const [read] = await tx.query<{ rows: string | null }>(
    `SELECT json_agg(page)::text AS rows FROM (
       SELECT ${asText(shape)} FROM ${quoted(shape.name)} AS t ${joinKeys(shape, '$3')} WHERE tenant_id = $1 AND memory_id = $2) AS page`,
    [scope.tenantId, scope.memoryId, keysJson(keys)],
  );
  return read?.rows ?? null;
}

/** Which of the keys have a row. */
export async function presentKeys(
  tx: Tx,
  shape: TableShape,
  scope: MemoryScope,
  keys: readonly string[][],
): Promise<Set<string>> {
  const rows = await tx.query<{ key: string[] }>(
    `SELECT ARRAY[${shape.keys.map(({ name }) => `t.${quoted(name)}::text`).join(', ')}]::text[] AS key
       FROM ${quoted(shape.name)} AS t ${joinKeys(shape, '$3')} WHERE tenant_id = $1 AND memory_id = $2`,
    [scope.tenantId, scope.memoryId, keysJson(keys)],
  );
  return new Set(rows.map(({ key }) => JSON.stringify(key)));
}

export async function deleteRows(
  tx: Tx,
  shape: TableShape,
  scope: MemoryScope,
  keys: readonly string[][],
): Promise<void> {
  await tx.execute(
    `DELETE FROM ${quoted(shape.name)} WHERE ctid = ANY (ARRAY(
       SELECT t.ctid FROM ${quoted(shape.name)} AS t ${joinKeys(shape, '$3')} WHERE tenant_id = $1 AND memory_id = $2))`,
    [scope.tenantId, scope.memoryId, keysJson(keys)],
  );
}

/**
 * Inserts rows that were read elsewhere. One that cannot be yet, because a row that it needs or replaces has changed
 * meanwhile, is left out: that change was noted, and it is copied once more after it.
 */
export async function insertRows(tx: Tx, shape: TableShape, rows: string, replace: boolean): Promise<void> {
  const columns = shape.columns.map(({ name }) => quoted(name));
  const primary = primaryKeyOf(shape);
  const conflict = replace
    ? `(${primary.map(quoted).join(', ')}) DO UPDATE SET ${columns
        .filter((column) => !primary.map(quoted).includes(column))
        .map((column) => `${column} = excluded.${column}`)
        .join(', ')}`
    : 'DO NOTHING';
  const needed = shape.parents.map(
    ({ table, pairs }) =>
      `EXISTS (SELECT 1 FROM ${quoted(table)} AS parent WHERE ${pairs
        .map(([here, there]) => `parent.${quoted(there)} = r.${quoted(here)}`)
        .join(' AND ')})`,
  );
  await tx.execute(
    `INSERT INTO ${quoted(shape.name)} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE
     SELECT ${shape.columns.map(({ name, type }) => `r.${quoted(name)}::${type}`).join(', ')}
       FROM json_to_recordset($1::json) AS r (${columns.map((column) => `${column} text`).join(', ')})
      ${needed.length === 0 ? '' : `WHERE ${needed.join(' AND ')}`}
     ON CONFLICT ${conflict}`,
    [rows],
  );
}

/** Tables whose primary key has the memory behind what is looked for; these columns follow an index that begins with it. */
const ORDERS: ReadonlyMap<string, string[]> = new Map([
  ['graph_links', ['target', 'source', 'type', 'vault_id']],
  ['threads', ['vault_id', 'thread_id']],
  ['turns', ['vault_id', 'thread_id', 'ordinal']],
]);

function orderedBy(shape: TableShape): TableShape['keys'] {
  const order = ORDERS.get(shape.name);
  return order?.map((name) => shape.columns.find((column) => column.name === name)!) ?? shape.keys;
}

/** Tables whose primary key does without the memory. */
const WITHOUT_MEMORY = ['threads', 'turns', 'idempotency_keys'];

function primaryKeyOf(shape: TableShape): string[] {
  const rest = shape.keys.map(({ name }) => name);
  return WITHOUT_MEMORY.includes(shape.name) ? ['tenant_id', ...rest] : ['tenant_id', 'memory_id', ...rest];
}

function asText(shape: TableShape): string {
  return shape.columns.map(({ name }) => `t.${quoted(name)}::text AS ${quoted(name)}`).join(', ');
}

function joinKeys(shape: TableShape, parameter: string): string {
  if (shape.keys.length === 0) return `JOIN (SELECT ${parameter}::json) AS k ON true`;
  const columns = shape.keys.map((_key, place) => `k${place} text`).join(', ');
  const equal = shape.keys.map(({ name, type }, place) => `t.${quoted(name)} = k.k${place}::${type}`).join(' AND ');
  return `JOIN json_to_recordset(${parameter}::json) AS k (${columns}) ON ${equal}`;
}

function keysJson(keys: readonly string[][]): string {
  return JSON.stringify(keys.map((key) => Object.fromEntries(key.map((part, place) => [`k${place}`, part]))));
}
