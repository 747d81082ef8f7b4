import { Denial, type KeysService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { digestOf, hasKeyForm } from '@cairn/identity';
import type { Resolved } from '@cairn/revocation';
import type { RpcClient } from '@cairn/service-kit';
import { unavailable } from './lookup-cache.ts';
import type { Membership } from './revocation/membership.ts';
import { denied, type Verdict, verdictOf } from './verdict.ts';

const RESOLVE_TIMEOUT_MS = 2_000;

export interface CredentialCache {
  /** The verdict on a credential; throws the caller's 401, or `unavailable` when keys cannot be asked. */
  resolve(credential: string): Promise<Verdict>;
}

/** The verdict as the membership admits it, and what time alone decides. */
export function createCredentialCache(membership: Pick<Membership, 'admit'>): CredentialCache {
  return {
    async resolve(credential) {
      // A text without a key's form and checksum is no key: it is not worth a question.
      if (!hasKeyForm(credential)) throw new CairnError('credential_invalid', 'The key is not valid.');
      const answer = await membership.admit(digestOf(credential).toString('base64'));
      if (!answer.ok) throw denied(answer.refusal);
      if (answer.found.revokesAtMs <= Date.now()) throw denied(Denial.REVOKED);
      if (answer.found.expiresAtMs <= Date.now()) throw denied(Denial.EXPIRED);
      return answer.found;
    },
  };
}

/** Asks keys for a credential by its digest in base64. */
export function resolverOver(keys: Pick<RpcClient<typeof KeysService>, 'resolve'>) {
  return async (digest: string): Promise<Resolved<Verdict, Denial>> => {
    const request = { sha256: Buffer.from(digest, 'base64') };
    const { result } = await keys.resolve(request, { timeoutMs: RESOLVE_TIMEOUT_MS }).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (result.case === 'credential') return { ok: true, found: verdictOf(result.value) };
    if (result.case === 'denial') return { ok: false, refusal: result.value };
    throw new CairnError('internal', '', { internal: 'keys answered neither credential nor denial' });
  };
}
