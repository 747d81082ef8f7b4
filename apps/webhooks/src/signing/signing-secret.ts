import { randomBytes } from 'node:crypto';
import type { KeyRing } from '@cairn/encryption';
import { LRUCache } from 'lru-cache';
import type { SigningSecrets } from './signature.ts';

const SECRET_BYTES = 32;
const DECRYPTED_MAX = 10_000;

export function generateSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** The context that a webhook's secret is encrypted for. */
export const signingSecretContext = (webhookId: string) => `webhook ${webhookId}`;

export interface EncryptedSecrets {
  webhook_id: string;
  secret_sealed: string;
  next_secret_sealed: string | null;
  secret_rotates_at: Date | null;
}

export type DecryptSecrets = (row: EncryptedSecrets, now: Date) => Promise<SigningSecrets>;

/** Decrypts secrets and caches them: decrypting costs more than signing. */
export function createSecretDecrypter(keyRing: KeyRing): DecryptSecrets {
  const cache = new LRUCache<string, string>({ max: DECRYPTED_MAX });
  const decrypt = async (webhookId: string, ciphertext: string) => {
    const cached = cache.get(ciphertext);
    if (cached !== undefined) return cached;
    const secret = await keyRing.decrypt(signingSecretContext(webhookId), ciphertext);
    cache.set(ciphertext, secret);
    return secret;
  };
  return async (row, now) => {
    const next = row.next_secret_sealed === null ? null : await decrypt(row.webhook_id, row.next_secret_sealed);
    // The time decides, not whether endRotations() has run since.
    if (next !== null && row.secret_rotates_at !== null && row.secret_rotates_at <= now)
      return { current: next, next: null };
    return { current: await decrypt(row.webhook_id, row.secret_sealed), next };
  };
}
