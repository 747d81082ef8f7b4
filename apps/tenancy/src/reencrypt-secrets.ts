import type { KeyRing } from '@cairn/encryption';
import type { Database, Tx } from '@cairn/postgres';
import { reencryptEngineSecret } from './engines/engine-secret.ts';
import { providerKeyContext } from './provider-keys/encryption-context.ts';
import type { ProviderKeyRow } from './stores/provider-key-store.ts';

/** Encrypts every stored secret again that another key than the first encrypted; returns how many. May be repeated. */
export async function reencryptSecrets(deps: { workerDatabase: Database; keyRing: KeyRing }): Promise<number> {
  return deps.workerDatabase.transaction(async (tx) => {
    const providerKeys = await reencryptProviderKeys(tx, deps.keyRing);
    return providerKeys + (await reencryptEngineSecrets(tx, deps.keyRing));
  });
}

async function reencryptProviderKeys(tx: Tx, keyRing: KeyRing): Promise<number> {
  const keys = await tx.query<ProviderKeyRow>('SELECT * FROM provider_keys ORDER BY tenant_id, provider FOR UPDATE');
  const outdated = keys.filter((key) => !keyRing.isCurrent(key.sealed));
  for (const row of outdated) {
    const context = providerKeyContext(row.tenant_id, row.provider);
    await tx.execute('UPDATE provider_keys SET sealed = $3 WHERE tenant_id = $1 AND provider = $2', [
      row.tenant_id,
      row.provider,
      await keyRing.encrypt(context, await keyRing.decrypt(context, row.sealed)),
    ]);
  }
  return outdated.length;
}

async function reencryptEngineSecrets(tx: Tx, keyRing: KeyRing): Promise<number> {
  const engines = await tx.query<{ engine_id: string; sealed: string }>(
    'SELECT * FROM engine_secrets ORDER BY engine_id FOR UPDATE',
  );
  const outdated = engines.filter((engine) => !keyRing.isCurrent(engine.sealed));
  for (const row of outdated) {
    await tx.execute('UPDATE engine_secrets SET sealed = $2 WHERE engine_id = $1', [
      row.engine_id,
      await reencryptEngineSecret(keyRing, row.engine_id, row.sealed),
    ]);
  }
  return outdated.length;
}
