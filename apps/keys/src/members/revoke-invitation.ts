import type * as operations from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { assertMayDelegate } from '../credentials/calling-key.ts';
import { lockInvitation } from '../credentials/invitation-store.ts';
import { assertMayEnd } from '../ending/assert-may-end.ts';
import { voidInvitation } from '../invalidation/void-invitations.ts';
import { presentInvitation } from './present-invitation.ts';

/** Makes an invitation void; a repeat returns the same response. */
export async function revokeInvitation(
  deps: { database: Database; now: () => Date },
  { identity, params }: RequestContext<typeof operations.revokeInvitation>,
): Promise<JsonResponse<typeof operations.revokeInvitation>> {
  assertMayDelegate(identity);
  const revoked = await deps.database.withTenant(identity.tenantId, async (tx) => {
    const row = await lockInvitation(tx, params.invitation_id);
    if (row === null) throw notFound('The invitation');
    if (row.accepted_at !== null) throw new CairnError('conflict', 'The invitation was accepted; remove the member.');
    await assertMayEnd(tx, { caller: identity, now: deps.now(), set: { invitations: [row] }, alone: true });
    return voidInvitation(tx, params.invitation_id, deps.now());
  });
  return { body: presentInvitation(revoked, deps.now()) };
}
