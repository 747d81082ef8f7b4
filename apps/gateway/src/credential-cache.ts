import { Denial, type KeysService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { digestOf, hasKeyForm } from '@cairn/identity';
import type { RpcClient } from '@cairn/service-kit';
import { createLookupCache, type Lookup, unavailable } from './lookup-cache.ts';
import { denied, type Verdict, verdictOf } from './verdict.ts';

/** How long a resolved credential is served without asking keys again. */
export const CREDENTIAL_KEPT_MS = 30_000;
/** Shorter: a key that could not be used may become usable, and nobody waits half a minute for that. */
const DENIAL_KEPT_MS = 5_000;
const DENIALS_MAX = 10_000;
const PENDING_MAX = 1_000;
const RESOLVE_TIMEOUT_MS = 2_000;

export interface CredentialCache {
  /** The verdict on a credential; throws the caller's 401, or `unavailable` when keys cannot be asked. */
  resolve(credential: string): Promise<Verdict>;
}

/** Asks keys once per credential and half a minute; requests that come together share one question. */
export function createCredentialCache(
  keys: Pick<RpcClient<typeof KeysService>, 'resolve'>,
  max: number,
): CredentialCache {
  const lookUp = createLookupCache<Verdict, Denial>(
    {
      foundMax: max,
      foundKeptMs: CREDENTIAL_KEPT_MS,
      refusedMax: DENIALS_MAX,
      refusedKeptMs: DENIAL_KEPT_MS,
      pendingMax: PENDING_MAX,
    },
    (digest) => ask(keys, Buffer.from(digest, 'base64')),
  );
  return {
    async resolve(credential) {
      // A text without a key's form and checksum is no key: it is not worth a question.
      if (!hasKeyForm(credential)) throw new CairnError('credential_invalid', 'The key is not valid.');
      const answer = await lookUp(digestOf(credential).toString('base64'));
      if (!answer.ok) throw denied(answer.refusal);
      if (answer.found.revokesAtMs <= Date.now()) throw denied(Denial.REVOKED);
      if (answer.found.expiresAtMs <= Date.now()) throw denied(Denial.EXPIRED);
      return answer.found;
    },
  };
}

async function ask(
  keys: Pick<RpcClient<typeof KeysService>, 'resolve'>,
  sha256: Buffer,
): Promise<Lookup<Verdict, Denial>> {
  const { result } = await keys.resolve({ sha256 }, { timeoutMs: RESOLVE_TIMEOUT_MS }).catch((error: unknown) => {
    throw unavailable(error);
  });
  if (result.case === 'credential') return { ok: true, found: verdictOf(result.value) };
  if (result.case === 'denial') return { ok: false, refusal: result.value };
  throw new CairnError('internal', '', { internal: 'keys answered neither credential nor denial' });
}
