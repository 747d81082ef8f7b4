import { Denial, type KeysService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { digestOf, hasKeyForm, type TicketVerifier } from '@cairn/identity';
import type { BeginStrangerLookup, Resolved } from '@cairn/revocation';
import type { RpcClient } from '@cairn/service-kit';
import { LRUCache } from 'lru-cache';
import { unavailable } from './lookup-cache.ts';
import type { Membership } from './revocation/membership.ts';
import { denied, type Verdict, verdictOf } from './verdict.ts';

const RESOLVE_TIMEOUT_MS = 2_000;

export interface CredentialCache {
  /**
   * The verdict on a credential; throws the caller's 401, or `unavailable` when keys cannot be asked. `beginStranger`
   * may refuse a credential that would have to be looked up and was never seen good.
   */
  resolve(credential: string, beginStranger?: BeginStrangerLookup): Promise<Verdict>;
  /** The verdict on the credential that a ticket stands for: it is good as long as both are. */
  resolveTicket(ticket: string, beginStranger?: BeginStrangerLookup): Promise<Verdict>;
}

const FORMED_MAX = 50_000;
/** Goes before the id of a credential that is looked up by it; no digest in base64 begins so. */
const BY_ID = 'id:';

/** The verdict as the membership admits it, and what time alone decides. */
export function createCredentialCache(membership: Pick<Membership, 'admit'>, tickets: TicketVerifier): CredentialCache {
  const admit = async (name: string, beginStranger?: BeginStrangerLookup) => {
    const answer = await membership.admit(name, beginStranger);
    if (!answer.ok) throw denied(answer.refusal);
    if (answer.found.revokesAtMs <= Date.now()) throw denied(Denial.REVOKED);
    if (answer.found.expiresAtMs <= Date.now()) throw denied(Denial.EXPIRED);
    return answer.found;
  };
  // Digests of texts that were seen to have the form; a checksum costs more than looking here.
  const formed = new LRUCache<string, true>({ max: FORMED_MAX });
  return {
    async resolve(credential, beginStranger) {
      const digest = digestOf(credential).toString('base64');
      if (formed.get(digest) === undefined) {
        // A text without a key's form and checksum is no key: it is not worth a question.
        if (!hasKeyForm(credential)) throw new CairnError('credential_invalid', 'The key is not valid.');
        formed.set(digest, true);
      }
      return admit(digest, beginStranger);
    },
    async resolveTicket(ticket, beginStranger) {
      const check = await tickets.verify(ticket);
      if (check.ok) return admit(BY_ID + check.ticket.credentialId, beginStranger);
      if (check.denial === 'expired') throw new CairnError('credential_expired', 'The ticket has expired.');
      throw new CairnError('credential_invalid', 'The ticket is not valid.');
    },
  };
}

/** Asks keys for a credential by its digest in base64, or by its id. */
export function resolverOver(keys: Pick<RpcClient<typeof KeysService>, 'resolve'>) {
  return async (digest: string, seenGood: boolean): Promise<Resolved<Verdict, Denial>> => {
    const request = digest.startsWith(BY_ID)
      ? { credentialId: digest.slice(BY_ID.length) }
      : { sha256: Buffer.from(digest, 'base64'), seenGood };
    const { result } = await keys.resolve(request, { timeoutMs: RESOLVE_TIMEOUT_MS }).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (result.case === 'credential') return { ok: true, found: verdictOf(result.value) };
    if (result.case === 'denial') return { ok: false, refusal: result.value };
    throw new CairnError('internal', '', { internal: 'keys answered neither credential nor denial' });
  };
}
