import type { Database } from '@cairn/postgres';
import type { Sealing } from '@cairn/sealing';
import { placeOf, type SealedSecrets } from './signing-secret.ts';

/** Seals every signing secret anew that was sealed with another key than the first; gives how many. May be repeated. */
export async function resealSecrets(parts: { workerDatabase: Database; sealing: Sealing }): Promise<number> {
  const { sealing, workerDatabase } = parts;
  return workerDatabase.transaction(async (tx) => {
    const rows = await tx.query<SealedSecrets>(
      'SELECT webhook_id, secret_sealed, next_secret_sealed FROM webhooks ORDER BY webhook_id FOR UPDATE',
    );
    let resealed = 0;
    const renew = async (webhookId: string, sealed: string) => {
      if (sealing.isCurrent(sealed)) return sealed;
      resealed += 1;
      return sealing.seal(placeOf(webhookId), await sealing.open(placeOf(webhookId), sealed));
    };
    for (const row of rows) {
      const before = resealed;
      const secret = await renew(row.webhook_id, row.secret_sealed);
      const next = row.next_secret_sealed === null ? null : await renew(row.webhook_id, row.next_secret_sealed);
      if (resealed === before) continue;
      await tx.execute('UPDATE webhooks SET secret_sealed = $2, next_secret_sealed = $3 WHERE webhook_id = $1', [
        row.webhook_id,
        secret,
        next,
      ]);
    }
    return resealed;
  });
}
