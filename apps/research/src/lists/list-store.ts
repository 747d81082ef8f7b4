import { newId } from '@cairn/contracts';
import { likePattern, type Tx } from '@cairn/postgres';

export interface ListRecord {
  tenant_id: string;
  list_id: string;
  run_id: string;
  list_name: string;
  list_description: string;
  list_status: 'building' | 'ready' | 'stopped' | 'failed';
  list_type: 'company' | 'people' | 'web';
  records: number;
  created_at: Date;
}

interface CellEvidence {
  source_id: string;
  title: string;
  uri: string | null;
  quote: string;
  start: number;
}

export interface Cell {
  value: string;
  /** From 0 to 1. */
  confidence: number;
  evidence: CellEvidence[];
}

export interface RowSource {
  source_id: string;
  title: string;
  uri: string | null;
}

export interface ListRowRecord {
  row_id: string;
  list_id: string;
  position: number;
  identity_key: string;
  name: string;
  cells: Record<string, Cell>;
  sources: RowSource[];
  created_at: Date;
}

export async function insertList(
  tx: Tx,
  list: { tenantId: string; listId: string; runId: string; name: string; description: string; type: string },
): Promise<void> {
  await tx.execute(
    `INSERT INTO lists (tenant_id, list_id, run_id, list_name, list_description, list_status, list_type)
     VALUES ($1, $2, $3, $4, $5, 'building', $6)`,
    [list.tenantId, list.listId, list.runId, list.name, list.description, list.type],
  );
}

export async function findList(tx: Tx, listId: string): Promise<ListRecord | null> {
  return (await tx.query<ListRecord>('SELECT * FROM lists WHERE list_id = $1', [listId]))[0] ?? null;
}

/** How many rows a list has; 0 when it is gone. */
export async function countRows(tx: Tx, listId: string): Promise<number> {
  const [list] = await tx.query<{ records: number }>('SELECT records FROM lists WHERE list_id = $1', [listId]);
  return list?.records ?? 0;
}

interface NewRow {
  rowId: string;
  identityKey: string;
  name: string;
  cells: Record<string, Cell>;
  sources: readonly RowSource[];
}

/** Adds a row unless the list already has one with the same identity key. Returns the row's id, or null. */
export async function addRow(
  tx: Tx,
  { tenantId, listId, ...row }: Omit<NewRow, 'rowId'> & { tenantId: string; listId: string },
): Promise<string | null> {
  const rowId = newId('row');
  const added = await addRows(tx, { tenantId, listId }, [{ ...row, rowId }]);
  return added.has(rowId) ? rowId : null;
}

/** Adds those rows whose identity keys the list does not have yet. Returns their ids. */
export async function addRows(
  tx: Tx,
  { tenantId, listId }: { tenantId: string; listId: string },
  rows: readonly NewRow[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  // Locks the list's row, so that positions have no gaps and no duplicates.
  const [list] = await tx.query<{ records: number }>('SELECT records FROM lists WHERE list_id = $1 FOR UPDATE', [
    listId,
  ]);
  if (list === undefined) return new Set();
  const known = await tx.query<{ identity_key: string }>(
    'SELECT identity_key FROM list_rows WHERE list_id = $1 AND identity_key = ANY($2)',
    [listId, rows.map(({ identityKey }) => identityKey)],
  );
  const keys = new Set(known.map(({ identity_key }) => identity_key));
  const added = rows.filter(({ identityKey }) => !keys.has(identityKey) && keys.add(identityKey));
  await tx.execute(
    `INSERT INTO list_rows (tenant_id, row_id, list_id, position, identity_key, name, cells, sources)
     SELECT $1, row_id, $2, position, identity_key, name, cells, sources
       FROM jsonb_to_recordset($3::jsonb) AS added
            (row_id text, position int, identity_key text, name text, cells jsonb, sources jsonb)`,
    [
      tenantId,
      listId,
      JSON.stringify(
        added.map(({ rowId, identityKey, name, cells, sources }, index) => ({
          row_id: rowId,
          position: list.records + 1 + index,
          identity_key: identityKey,
          name,
          cells,
          sources,
        })),
      ),
    ],
  );
  await tx.execute('UPDATE lists SET records = records + $2 WHERE list_id = $1', [listId, added.length]);
  return new Set(added.map(({ rowId }) => rowId));
}

/** The rows of a list in order, from `offset`; `term` filters by name or value. */
export async function readRows(
  tx: Tx,
  listId: string,
  options: { term?: string | undefined; offset: number; limit: number | null },
): Promise<{ rows: ListRowRecord[]; total: number }> {
  const pattern = options.term === undefined ? null : likePattern(options.term);
  const holds = `list_id = $1 AND ($2::text IS NULL OR name ILIKE $2
      OR EXISTS (SELECT FROM jsonb_each(cells) AS cell WHERE cell.value ->> 'value' ILIKE $2))`;
  const rows = await tx.query<ListRowRecord>(
    `SELECT * FROM list_rows WHERE ${holds} ORDER BY position OFFSET $3 LIMIT $4`,
    [listId, pattern, options.offset, options.limit],
  );
  const [{ total }] = (await tx.query<{ total: number }>(`SELECT count(*) AS total FROM list_rows WHERE ${holds}`, [
    listId,
    pattern,
  ])) as [{ total: number }];
  return { rows, total };
}
