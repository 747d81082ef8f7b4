import type { listApiKeys } from '@cairn/contracts';
import { nextCursorOf, pageOf, type Database } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { listKeys } from './key-store.ts';
import { presentKey } from './present-key.ts';

/** The keys the tenant administers, its twin's among them. */
export async function listTenantKeys(
  parts: { database: Database },
  call: Call<typeof listApiKeys>,
): Promise<JsonAnswer<typeof listApiKeys>> {
  const page = pageOf(call.query);
  const rows = await parts.database.withTenant(call.identity.tenantId, (tx) =>
    listKeys(tx, call.query, { afterKeyId: page.after, limit: page.fetch }),
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.key_id);
  return { body: { api_keys: shown.map(presentKey), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}
