import type { AnswerOf, exportList, getSavedList, listRows, listSavedLists } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { Call, FileAnswer, JsonAnswer } from '@cairn/service-kit';
import { findList, likePattern, type ListRecord, type ListRowRecord, readRows } from './list-store.ts';
import { csvOf } from './to-csv.ts';

interface Parts {
  database: Database;
}

/** The newest lists first; those of the web only when they are asked for. */
export async function listLists(
  { database }: Parts,
  call: Call<typeof listSavedLists>,
): Promise<JsonAnswer<typeof listSavedLists>> {
  const { page, limit, searchTerm, listType } = call.query;
  const values = [
    listType === undefined ? ['company', 'people'] : [listType],
    searchTerm === undefined || searchTerm === '' ? null : likePattern(searchTerm),
  ];
  const wanted = `list_type = ANY($1) AND ($2::text IS NULL OR list_name ILIKE $2 OR list_description ILIKE $2)`;
  return database.withTenant(
    call.identity.tenantId,
    async (tx) => {
      const rows = await tx.query<ListRecord>(
        `SELECT * FROM lists WHERE ${wanted} ORDER BY list_id DESC OFFSET $3 LIMIT $4`,
        [...values, (page - 1) * limit, limit],
      );
      const counted = await tx.query<{ total: number }>(`SELECT count(*) AS total FROM lists WHERE ${wanted}`, values);
      return { body: { success: true, data: rows.map(presentList), total: counted[0]!.total } };
    },
    { mode: 'snapshot' },
  );
}

export async function readList(
  { database }: Parts,
  call: Call<typeof getSavedList>,
): Promise<JsonAnswer<typeof getSavedList>> {
  const list = await database.withTenant(call.identity.tenantId, (tx) => findList(tx, call.params.list_id));
  if (list === null) throw notFound('The list');
  return { body: presentList(list) };
}

export async function readListRows(
  { database }: Parts,
  call: Call<typeof listRows>,
): Promise<JsonAnswer<typeof listRows>> {
  const { page, limit, searchTerm } = call.query;
  const { rows, total } = await database.withTenant(
    call.identity.tenantId,
    async (tx) => {
      if ((await findList(tx, call.params.list_id)) === null) throw notFound('The list');
      const term = searchTerm === '' ? undefined : searchTerm;
      return readRows(tx, call.params.list_id, { term, offset: (page - 1) * limit, limit });
    },
    { mode: 'snapshot' },
  );
  return { body: { success: true, data: rows.map(presentRow), total } };
}

/** The whole list as a download: CSV for a spreadsheet, JSON with the evidence. */
export async function downloadList({ database }: Parts, call: Call<typeof exportList>): Promise<FileAnswer> {
  const { list, rows } = await database.withTenant(
    call.identity.tenantId,
    async (tx) => {
      const found = await findList(tx, call.params.list_id);
      if (found === null) throw notFound('The list');
      const read = await readRows(tx, found.list_id, { offset: 0, limit: null });
      return { list: found, rows: read.rows };
    },
    { mode: 'snapshot' },
  );
  const named = (extension: string) => ({
    'content-disposition': `attachment; filename="${list.list_id}.${extension}"`,
    'x-content-type-options': 'nosniff',
  });
  if (call.query.format === 'json') {
    const body = JSON.stringify({ list: presentList(list), rows: rows.map(presentRow) });
    return { mediaType: 'application/json', body, headers: named('json') };
  }
  return { mediaType: 'text/csv; charset=utf-8', body: csvOf(rows), headers: named('csv') };
}

function presentList(list: ListRecord): AnswerOf<typeof getSavedList> {
  return {
    id: list.list_id,
    listName: list.list_name,
    listDescription: list.list_description,
    listStatus: list.list_status,
    listType: list.list_type,
    noOfRecords: list.records,
    thread_id: list.run_id,
    created_at: list.created_at.toISOString(),
  };
}

function presentRow(row: ListRowRecord): AnswerOf<typeof listRows>['data'][number] {
  return {
    row_id: row.row_id,
    position: row.position,
    name: row.name,
    cells: row.cells,
    sources: row.sources,
    created_at: row.created_at.toISOString(),
  };
}
