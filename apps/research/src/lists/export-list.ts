import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { FileResponse, RequestContext } from '@cairn/service-kit';
import { findList, readRows } from './list-store.ts';
import { presentList, presentRow } from './present-list.ts';
import { csvOf } from './to-csv.ts';

/** Returns the whole list as a download: CSV for spreadsheets, JSON with the evidence. */
export async function exportList(
  { database }: { database: Database },
  request: RequestContext<typeof operations.exportList>,
): Promise<FileResponse> {
  const { list, rows } = await database.withTenant(
    request.identity.tenantId,
    async (tx) => {
      const found = await findList(tx, request.params.list_id);
      if (found === null) throw notFound('The list');
      const read = await readRows(tx, found.list_id, { offset: 0, limit: null });
      return { list: found, rows: read.rows };
    },
    { mode: 'snapshot' },
  );
  const headersFor = (extension: string) => ({
    'content-disposition': `attachment; filename="${list.list_id}.${extension}"`,
    'x-content-type-options': 'nosniff',
  });
  if (request.query.format === 'json') {
    const body = JSON.stringify({ list: presentList(list), rows: rows.map(presentRow) });
    return { mediaType: 'application/json', body, headers: headersFor('json') };
  }
  return { mediaType: 'text/csv; charset=utf-8', body: csvOf(rows), headers: headersFor('csv') };
}
