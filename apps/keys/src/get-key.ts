import type { getApiKey } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { findKey } from './key-store.ts';
import { presentKey } from './present-key.ts';

export async function getKey(
  parts: { database: Database },
  call: Call<typeof getApiKey>,
): Promise<JsonAnswer<typeof getApiKey>> {
  const row = await parts.database.withTenant(call.identity.tenantId, (tx) => findKey(tx, call.params.key_id));
  if (row === null) throw notFound('The key');
  return { body: presentKey(row) };
}
