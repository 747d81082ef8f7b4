import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { resealEngine } from '../engines/engine-secret.ts';
import { findProviderKey, type ProviderKeyRow } from './provider-key-store.ts';
import { placeOf } from './provider-keys.ts';
import type { Sealing } from '@cairn/sealing';

/** Opens a tenant's own key of a provider for a service that is about to call it. */
export async function revealProviderKey(
  parts: { database: Database; sealing: Sealing },
  request: { tenantId: string; provider: string },
): Promise<{ apiKey: string; baseUrl: string }> {
  const { tenantId, provider } = request;
  const row = await parts.database.withTenant(tenantId, (tx) => findProviderKey(tx, provider));
  if (row === null) throw notFound('The provider key');
  return { apiKey: await parts.sealing.open(placeOf(tenantId, provider), row.sealed), baseUrl: row.base_url ?? '' };
}

/** Seals every stored secret anew that was sealed with another key than the first; gives how many. May be repeated. */
export async function resealSecrets(parts: { workerDatabase: Database; sealing: Sealing }): Promise<number> {
  const { sealing, workerDatabase } = parts;
  return workerDatabase.transaction(async (tx) => {
    let resealed = 0;
    const keys = await tx.query<ProviderKeyRow>('SELECT * FROM provider_keys ORDER BY tenant_id, provider FOR UPDATE');
    for (const row of keys.filter((key) => !sealing.isCurrent(key.sealed))) {
      const place = placeOf(row.tenant_id, row.provider);
      await tx.execute('UPDATE provider_keys SET sealed = $3 WHERE tenant_id = $1 AND provider = $2', [
        row.tenant_id,
        row.provider,
        await sealing.seal(place, await sealing.open(place, row.sealed)),
      ]);
      resealed += 1;
    }
    const engines = await tx.query<{ engine_id: string; sealed: string }>(
      'SELECT * FROM engine_secrets ORDER BY engine_id FOR UPDATE',
    );
    for (const row of engines.filter((engine) => !sealing.isCurrent(engine.sealed))) {
      await tx.execute('UPDATE engine_secrets SET sealed = $2 WHERE engine_id = $1', [
        row.engine_id,
        await resealEngine(sealing, row.engine_id, row.sealed),
      ]);
      resealed += 1;
    }
    return resealed;
  });
}
