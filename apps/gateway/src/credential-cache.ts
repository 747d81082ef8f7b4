import { type KeysService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { digestOf, hasKeyForm } from '@cairn/identity';
import type { RpcClient } from '@cairn/service-kit';
import { LRUCache } from 'lru-cache';
import { denied, type Verdict, verdictOf } from './verdict.ts';

/** How long a resolved credential is served without asking keys again. */
export const CREDENTIAL_KEPT_MS = 30_000;

export interface CredentialCache {
  /** The verdict on a credential; throws the caller's 401, or `unavailable` when keys cannot be asked. */
  resolve(credential: string): Promise<Verdict>;
}

/** Asks keys once per credential and half a minute; requests that come together share one question. */
export function createCredentialCache(keys: RpcClient<typeof KeysService>, max: number): CredentialCache {
  const verdicts = new LRUCache<string, Verdict>({ max, ttl: CREDENTIAL_KEPT_MS });
  const asked = new Map<string, Promise<Verdict>>();

  async function ask(digest: Buffer): Promise<Verdict> {
    const { result } = await keys.resolve({ sha256: digest });
    if (result.case === 'credential') return verdictOf(result.value);
    if (result.case === 'denial') throw denied(result.value);
    throw new CairnError('internal', '', { internal: 'keys answered neither credential nor denial' });
  }

  return {
    async resolve(credential) {
      // A text without a key's form and checksum is no key: it is not worth a question.
      if (!hasKeyForm(credential)) throw new CairnError('credential_invalid', 'The key is not valid.');
      const digest = digestOf(credential);
      const name = digest.toString('base64');
      const known = verdicts.get(name);
      if (known !== undefined) return assertNotExpired(known);
      let question = asked.get(name);
      if (question === undefined) {
        question = ask(digest).finally(() => asked.delete(name));
        asked.set(name, question);
      }
      const verdict = await question;
      verdicts.set(name, verdict);
      return assertNotExpired(verdict);
    },
  };
}

function assertNotExpired(verdict: Verdict): Verdict {
  if (verdict.expiresAtMs <= Date.now()) throw new CairnError('credential_expired', 'The key has expired.');
  return verdict;
}
