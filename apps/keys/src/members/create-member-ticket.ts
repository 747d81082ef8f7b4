import type * as operations from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { assertMayDelegate, assertValid, lockCreator } from '../credentials/calling-key.ts';
import { findMember } from '../credentials/member-store.ts';
import { issueTicket } from '../credentials/issue-ticket.ts';
import { assertMayManage } from './member-key.ts';

/** A ticket for one session of a member who has no other way to sign in again. */
export async function createMemberTicket(
  deps: { database: Database; now: () => Date; baseUrl: string },
  { identity, params }: RequestContext<typeof operations.createMemberTicket>,
): Promise<JsonResponse<typeof operations.createMemberTicket>> {
  assertMayDelegate(identity);
  const ticket = await deps.database.withTenant(identity.tenantId, async (tx) => {
    const { caller } = await lockCreator(tx, identity.keyId, deps.now());
    const found = await findMember(tx, params.member_id);
    if (found === null) throw notFound('The member');
    assertMayManage(caller, found.key);
    if (found.key.closing_since !== null || found.key.revoked_at !== null)
      throw new CairnError('conflict', 'The member was removed.');
    if (found.member.issuer !== null)
      throw new CairnError('conflict', 'The member signs in with an account at the identity provider.');
    return issueTicket(tx, deps, assertValid(found.key, deps.now()));
  });
  return { body: { member_id: params.member_id, ...ticket } };
}
