import type * as operations from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { listProviderKeyRows } from '../stores/provider-key-store.ts';
import { presentProviderKey } from './present-provider-key.ts';

export async function listProviderKeys(
  deps: { database: Database },
  context: RequestContext<typeof operations.listProviderKeys>,
): Promise<JsonResponse<typeof operations.listProviderKeys>> {
  const rows = await deps.database.withTenant(context.identity.tenantId, listProviderKeyRows);
  return { body: { provider_keys: rows.map(presentProviderKey) } };
}
