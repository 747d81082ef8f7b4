import type { getOAuthClient, listOAuthClients } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { findClient, listClients } from './oauth-store.ts';
import { presentClient } from './present-client.ts';

/** The clients of the tenant that the caller acts in; those of its twin are the twin's. */
export async function listTenantClients(
  parts: { database: Database },
  { identity, query }: Call<typeof listOAuthClients>,
): Promise<JsonAnswer<typeof listOAuthClients>> {
  const page = pageOf(query);
  const rows = await parts.database.withTenant(identity.tenantId, (tx) =>
    listClients(tx, { afterClientId: page.after, limit: page.fetch }),
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.client_id);
  return { body: { oauth_clients: shown.map(presentClient), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}

export async function getClient(
  parts: { database: Database },
  { identity, params }: Call<typeof getOAuthClient>,
): Promise<JsonAnswer<typeof getOAuthClient>> {
  const row = await parts.database.withTenant(identity.tenantId, (tx) => findClient(tx, params.client_id));
  if (row === null) throw notFound('The OAuth client');
  return { body: presentClient(row) };
}
