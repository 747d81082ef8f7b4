import type * as operations from '@cairn/contracts';
import { nextCursorOf, pageOf, type Database } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { listKeys } from '../credentials/key-store.ts';
import { presentKey } from './present-key.ts';

/** The keys the tenant administers, those of its test tenant included. */
export async function listApiKeys(
  deps: { database: Database },
  { identity, query }: RequestContext<typeof operations.listApiKeys>,
): Promise<JsonResponse<typeof operations.listApiKeys>> {
  const page = pageOf(query);
  const rows = await deps.database.withTenant(identity.tenantId, (tx) =>
    listKeys(tx, query, { afterKeyId: page.after, limit: page.fetch }),
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.key_id);
  return { body: { api_keys: shown.map(presentKey), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}
