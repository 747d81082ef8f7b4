import { INVITATION_PREFIX, newId } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { generateSecret } from '@cairn/identity';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { assertMayDelegate, lockCreator } from '../credentials/calling-key.ts';
import { countInvitations, findOpenInvitationsOf, insertInvitation } from '../credentials/invitation-store.ts';
import { countMembers, findMemberByEmail } from '../credentials/member-store.ts';
import { consoleUrl } from '../credentials/issue-ticket.ts';
import { assertMayEnd } from '../ending/assert-may-end.ts';
import { voidInvitationsFor } from '../invalidation/void-invitations.ts';
import { assertMayGrant } from './member-key.ts';
import { presentInvitation } from './present-invitation.ts';

interface InviteDeps {
  database: Database;
  now: () => Date;
  baseUrl: string;
}

const LIFETIME_MS = 7 * 24 * 3_600_000;
/** Of one tenant. */
const MEMBERS_MAX = 1_000;
const OPEN_MAX = 200;
const A_DAY_MAX = 500;

/** Invites somebody to become a member; what is open for the same e-mail address becomes void. */
export async function createInvitation(
  deps: InviteDeps,
  context: RequestContext<typeof operations.createInvitation>,
): Promise<JsonResponse<typeof operations.createInvitation>> {
  const { identity, body } = context;
  assertMayDelegate(identity);
  const response = await deps.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: identity,
        operation: 'createInvitation',
        key: context.idempotencyKey,
        request: body,
        secretFields: ['invitation', 'url'],
      },
      async () => ({ status: 201, body: await invite(tx, deps, context) }),
    ),
  );
  return response as JsonResponse<typeof operations.createInvitation>;
}

async function invite(
  tx: Tx,
  deps: InviteDeps,
  { identity, body }: RequestContext<typeof operations.createInvitation>,
) {
  const now = deps.now();
  const { caller } = await lockCreator(tx, identity.keyId, now);
  assertMayGrant(caller, body.role);
  // First, because it serialises the invitations of a tenant.
  const members = await countMembers(tx, caller.tenant_id);
  if ((await findMemberByEmail(tx, caller.tenant_id, body.email)) !== null)
    throw new CairnError('conflict', 'A member has this e-mail address already.');
  const replaced = await findOpenInvitationsOf(tx, caller.tenant_id, body.email, now);
  await assertMayEnd(tx, { caller: identity, now, set: { invitations: replaced }, alone: true });
  await voidInvitationsFor(tx, caller.tenant_id, body.email, now);
  assertRoom(members, await countInvitations(tx, caller.tenant_id, now));
  const secret = generateSecret(INVITATION_PREFIX);
  const row = await insertInvitation(tx, {
    tenant_id: caller.tenant_id,
    invitation_id: newId('invitation'),
    email: body.email,
    role: body.role,
    invited_by: caller.key_id,
    sha256: secret.sha256,
    expires_at: new Date(now.getTime() + LIFETIME_MS),
  });
  const url = consoleUrl(deps.baseUrl, { invitation: secret.plaintext });
  return { ...presentInvitation(row, now), invitation: secret.plaintext, url };
}

function assertRoom(members: number, { open, lately }: { open: number; lately: number }): void {
  if (members + open >= MEMBERS_MAX)
    throw new CairnError('conflict', `A tenant has at most ${MEMBERS_MAX} members and open invitations.`);
  if (open >= OPEN_MAX)
    throw new CairnError('conflict', `${OPEN_MAX} invitations are open; revoke some of them first.`);
  if (lately >= A_DAY_MAX) throw new CairnError('conflict', `A tenant makes at most ${A_DAY_MAX} invitations a day.`);
}
