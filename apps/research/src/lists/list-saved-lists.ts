import type * as operations from '@cairn/contracts';
import { type Database, likePattern } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import type { ListRecord } from './list-store.ts';
import { presentList } from './present-list.ts';

/** Returns the newest lists first; lists of web runs only when `listType` names them. */
export async function listSavedLists(
  { database }: { database: Database },
  request: RequestContext<typeof operations.listSavedLists>,
): Promise<JsonResponse<typeof operations.listSavedLists>> {
  const { page, limit, searchTerm, listType } = request.query;
  const values = [
    listType === undefined ? ['company', 'people'] : [listType],
    searchTerm === undefined || searchTerm === '' ? null : likePattern(searchTerm),
  ];
  const condition = `list_type = ANY($1) AND ($2::text IS NULL OR list_name ILIKE $2 OR list_description ILIKE $2)`;
  return database.withTenant(
    request.identity.tenantId,
    async (tx) => {
      const rows = await tx.query<ListRecord>(
        `SELECT * FROM lists WHERE ${condition} ORDER BY list_id DESC OFFSET $3 LIMIT $4`,
        [...values, (page - 1) * limit, limit],
      );
      const counted = await tx.query<{ total: number }>(
        `SELECT count(*) AS total FROM lists WHERE ${condition}`,
        values,
      );
      return { body: { success: true, data: rows.map(presentList), total: counted[0]!.total } };
    },
    { mode: 'snapshot' },
  );
}
