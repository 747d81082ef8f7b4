import type * as operations from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { findMember } from '../credentials/member-store.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { beginAttempt } from './start-sign-in.ts';

/** Begins a sign-in whose account is linked to the member of the calling session. */
export async function startAccountLink(
  deps: { provider: IdentityProvider | null; database: Database; workerDatabase: Database; now: () => Date },
  { identity }: RequestContext<typeof operations.startAccountLink>,
): Promise<JsonResponse<typeof operations.startAccountLink>> {
  if (deps.provider === null) throw notFound('An identity provider');
  if (identity.kind !== 'member')
    throw new CairnError('permission_denied', 'Only a member links an account; sign in as one.');
  const found = await deps.database.withTenant(identity.tenantId, (tx) => findMember(tx, identity.keyId));
  if (found === null) throw notFound('The member');
  if (found.member.issuer !== null)
    throw new CairnError('conflict', 'The member signs in with an account at the identity provider already.');
  return {
    body: await beginAttempt(deps, { invitation_sha256: null, wanted_member: null, links_member: identity.keyId }),
  };
}
