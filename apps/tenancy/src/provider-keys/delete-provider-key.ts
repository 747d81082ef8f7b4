import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { deleteProviderKeyRow } from '../stores/provider-key-store.ts';

export async function deleteProviderKey(
  deps: { database: Database },
  context: RequestContext<typeof operations.deleteProviderKey>,
): Promise<JsonResponse<typeof operations.deleteProviderKey>> {
  const { provider } = context.params;
  const deleted = await deps.database.withTenant(context.identity.tenantId, (tx) => deleteProviderKeyRow(tx, provider));
  if (!deleted) throw notFound('The provider key');
  return { body: { provider, deleted: true } };
}
