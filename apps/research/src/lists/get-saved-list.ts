import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { findList } from './list-store.ts';
import { presentList } from './present-list.ts';

export async function getSavedList(
  { database }: { database: Database },
  request: RequestContext<typeof operations.getSavedList>,
): Promise<JsonResponse<typeof operations.getSavedList>> {
  const list = await database.withTenant(request.identity.tenantId, (tx) => findList(tx, request.params.list_id));
  if (list === null) throw notFound('The list');
  return { body: presentList(list) };
}
