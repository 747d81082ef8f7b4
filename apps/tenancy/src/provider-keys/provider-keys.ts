import type { AnswerOf, deleteProviderKey, getProviderKey, listProviderKeys, putProviderKey } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import {
  deleteProviderKeyRow,
  findProviderKey,
  listProviderKeyRows,
  type ProviderKeyRow,
  putProviderKeyRow,
} from './provider-key-store.ts';
import type { Sealing } from '@cairn/sealing';

/** Where a provider key is sealed for. */
export const placeOf = (tenantId: string, provider: string) => `provider-key ${tenantId} ${provider}`;

/** Stores a tenant's own key of a provider, sealed; it replaces the one before. */
export async function storeProviderKey(
  parts: { database: Database; sealing: Sealing },
  call: Call<typeof putProviderKey>,
): Promise<JsonAnswer<typeof putProviderKey>> {
  const { tenantId } = call.identity;
  const { provider } = call.params;
  const sealed = await parts.sealing.seal(placeOf(tenantId, provider), call.body.api_key);
  const row = await parts.database.withTenant(tenantId, (tx) =>
    putProviderKeyRow(tx, { tenant_id: tenantId, provider, sealed, base_url: call.body.base_url ?? null }),
  );
  return { body: presentProviderKey(row) };
}

export async function listTenantProviderKeys(
  parts: { database: Database },
  call: Call<typeof listProviderKeys>,
): Promise<JsonAnswer<typeof listProviderKeys>> {
  const rows = await parts.database.withTenant(call.identity.tenantId, listProviderKeyRows);
  return { body: { provider_keys: rows.map(presentProviderKey) } };
}

export async function readProviderKey(
  parts: { database: Database },
  call: Call<typeof getProviderKey>,
): Promise<JsonAnswer<typeof getProviderKey>> {
  const { provider } = call.params;
  const row = await parts.database.withTenant(call.identity.tenantId, (tx) => findProviderKey(tx, provider));
  if (row === null) throw notFound('The provider key');
  return { body: presentProviderKey(row) };
}

export async function removeProviderKey(
  parts: { database: Database },
  call: Call<typeof deleteProviderKey>,
): Promise<JsonAnswer<typeof deleteProviderKey>> {
  const { provider } = call.params;
  const removed = await parts.database.withTenant(call.identity.tenantId, (tx) => deleteProviderKeyRow(tx, provider));
  if (!removed) throw notFound('The provider key');
  return { body: { provider, deleted: true } };
}

function presentProviderKey(row: ProviderKeyRow): AnswerOf<typeof getProviderKey> {
  return {
    provider: row.provider,
    base_url: row.base_url,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
