import type { Database } from '@cairn/postgres';
import type { KeyRing } from '@cairn/encryption';
import { signingSecretContext, type EncryptedSecrets } from './signing-secret.ts';

/** Encrypts every signing secret again that another key than the first encrypted; returns how many. May be repeated. */
export async function reencryptSecrets(deps: { workerDatabase: Database; keyRing: KeyRing }): Promise<number> {
  const { keyRing, workerDatabase } = deps;
  return workerDatabase.transaction(async (tx) => {
    const rows = await tx.query<EncryptedSecrets>(
      'SELECT webhook_id, secret_sealed, next_secret_sealed FROM webhooks ORDER BY webhook_id FOR UPDATE',
    );
    let count = 0;
    const reencrypt = async (webhookId: string, ciphertext: string) => {
      if (keyRing.isCurrent(ciphertext)) return ciphertext;
      count += 1;
      return keyRing.encrypt(
        signingSecretContext(webhookId),
        await keyRing.decrypt(signingSecretContext(webhookId), ciphertext),
      );
    };
    for (const row of rows) {
      const before = count;
      const secret = await reencrypt(row.webhook_id, row.secret_sealed);
      const next = row.next_secret_sealed === null ? null : await reencrypt(row.webhook_id, row.next_secret_sealed);
      if (count === before) continue;
      await tx.execute('UPDATE webhooks SET secret_sealed = $2, next_secret_sealed = $3 WHERE webhook_id = $1', [
        row.webhook_id,
        secret,
        next,
      ]);
    }
    return count;
  });
}
