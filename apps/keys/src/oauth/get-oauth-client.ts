import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { findClient } from '../credentials/oauth-store.ts';
import { presentClient } from './present-client.ts';

export async function getOAuthClient(
  deps: { database: Database },
  { identity, params }: RequestContext<typeof operations.getOAuthClient>,
): Promise<JsonResponse<typeof operations.getOAuthClient>> {
  const row = await deps.database.withTenant(identity.tenantId, (tx) => findClient(tx, params.client_id));
  if (row === null) throw notFound('The OAuth client');
  return { body: presentClient(row) };
}
