import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { findList, readRows } from './list-store.ts';
import { presentRow } from './present-list.ts';

/** Returns a page of a list's rows in their order. */
export async function listRows(
  { database }: { database: Database },
  request: RequestContext<typeof operations.listRows>,
): Promise<JsonResponse<typeof operations.listRows>> {
  const { page, limit, searchTerm } = request.query;
  const { list_id: listId } = request.params;
  const { rows, total } = await database.withTenant(
    request.identity.tenantId,
    async (tx) => {
      if ((await findList(tx, listId)) === null) throw notFound('The list');
      const term = searchTerm === '' ? undefined : searchTerm;
      return readRows(tx, listId, { term, offset: (page - 1) * limit, limit });
    },
    { mode: 'snapshot' },
  );
  return { body: { success: true, data: rows.map(presentRow), total } };
}
