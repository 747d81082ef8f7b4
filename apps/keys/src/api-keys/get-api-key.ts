import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { findApiKey } from '../credentials/key-store.ts';
import { presentKey } from './present-key.ts';

export async function getApiKey(
  deps: { database: Database },
  { identity, params }: RequestContext<typeof operations.getApiKey>,
): Promise<JsonResponse<typeof operations.getApiKey>> {
  const row = await deps.database.withTenant(identity.tenantId, (tx) => findApiKey(tx, params.key_id));
  if (row === null) throw notFound('The key');
  return { body: presentKey(row) };
}
