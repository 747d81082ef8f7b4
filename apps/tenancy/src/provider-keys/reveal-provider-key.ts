import type { KeyRing } from '@cairn/encryption';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { findProviderKey } from '../stores/provider-key-store.ts';
import { providerKeyContext } from './encryption-context.ts';

/** Decrypts a tenant's own key of a provider for a service that is about to call it. */
export async function revealProviderKey(
  deps: { database: Database; keyRing: KeyRing },
  request: { tenantId: string; provider: string },
): Promise<{ apiKey: string; baseUrl: string }> {
  const { tenantId, provider } = request;
  const row = await deps.database.withTenant(tenantId, (tx) => findProviderKey(tx, provider));
  if (row === null) throw notFound('The provider key');
  return {
    apiKey: await deps.keyRing.decrypt(providerKeyContext(tenantId, provider), row.sealed),
    baseUrl: row.base_url ?? '',
  };
}
