import type * as operations from '@cairn/contracts';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { listClients } from '../credentials/oauth-store.ts';
import { presentClient } from './present-client.ts';

/** The clients of the tenant that the caller acts in; those of its test tenant belong to the test tenant. */
export async function listOAuthClients(
  deps: { database: Database },
  { identity, query }: RequestContext<typeof operations.listOAuthClients>,
): Promise<JsonResponse<typeof operations.listOAuthClients>> {
  const page = pageOf(query);
  const rows = await deps.database.withTenant(identity.tenantId, (tx) =>
    listClients(tx, { afterClientId: page.after, limit: page.fetch }),
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.client_id);
  return { body: { oauth_clients: shown.map(presentClient), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}
