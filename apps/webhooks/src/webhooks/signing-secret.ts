import { randomBytes } from 'node:crypto';
import type { Sealing } from '@cairn/sealing';
import { LRUCache } from 'lru-cache';
import type { SigningSecrets } from '../sending/signature.ts';

const SECRET_BYTES = 32;
const OPENED_MAX = 10_000;

export function generateSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Where a webhook's secret is sealed for. */
export const placeOf = (webhookId: string) => `webhook ${webhookId}`;

export interface SealedSecrets {
  webhook_id: string;
  secret_sealed: string;
  next_secret_sealed: string | null;
  secret_rotates_at: Date | null;
}

export type OpenSecrets = (sealed: SealedSecrets, now: Date) => Promise<SigningSecrets>;

/** Opens secrets and remembers them: opening costs more than signing. */
export function secretOpener(sealing: Sealing): OpenSecrets {
  const opened = new LRUCache<string, string>({ max: OPENED_MAX });
  const open = async (webhookId: string, sealed: string) => {
    const known = opened.get(sealed);
    if (known !== undefined) return known;
    const secret = await sealing.open(placeOf(webhookId), sealed);
    opened.set(sealed, secret);
    return secret;
  };
  return async (row, now) => {
    const next = row.next_secret_sealed === null ? null : await open(row.webhook_id, row.next_secret_sealed);
    // The moment counts, not whether somebody has tidied up since.
    if (next !== null && row.secret_rotates_at !== null && row.secret_rotates_at <= now)
      return { current: next, next: null };
    return { current: await open(row.webhook_id, row.secret_sealed), next };
  };
}
