import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { findProviderKey } from '../stores/provider-key-store.ts';
import { presentProviderKey } from './present-provider-key.ts';

export async function getProviderKey(
  deps: { database: Database },
  context: RequestContext<typeof operations.getProviderKey>,
): Promise<JsonResponse<typeof operations.getProviderKey>> {
  const { provider } = context.params;
  const row = await deps.database.withTenant(context.identity.tenantId, (tx) => findProviderKey(tx, provider));
  if (row === null) throw notFound('The provider key');
  return { body: presentProviderKey(row) };
}
