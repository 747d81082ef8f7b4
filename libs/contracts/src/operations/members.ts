import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { SCOPES } from '../permissions.ts';
import { ROLES } from '../roles.ts';
import { name, nextCursor, pageById, pathId, timestamp } from './shared.ts';

const role = z.enum(ROLES).meta({
  description:
    'A named set of scopes: `viewer` reads and asks, `reviewer` also decides, `developer` also builds, `admin` does everything but appoint owners, `owner` does everything.',
});

/** Longer ones cannot be delivered to (RFC 5321). */
const EMAIL_MAX_CHARS = 254;
const email = z.string().trim().toLowerCase().max(EMAIL_MAX_CHARS).pipe(z.email());

const Member = z
  .object({
    member_id: z.string().meta({ description: 'Also the `actor.id` of what the member changed.' }),
    email: z.string().meta({ description: 'Empty, as the name, 400 days after the removal.' }),
    name: z.string(),
    role,
    scopes: z.array(z.enum(SCOPES)).meta({ description: 'What the role allows this member.' }),
    invited_by: z.string().meta({ description: 'The member or the key that invited it.' }),
    linked: z.boolean().meta({ description: 'Signs in with an account at the identity provider.' }),
    created_at: timestamp,
    last_signed_in_at: timestamp.nullable(),
    removed_at: timestamp.nullable(),
  })
  .meta({ id: 'Member' });

const membersOperation = { service: 'keys', app: 'keys', tag: 'Members', reach: 'tenant' } as const;

export const listMembers = defineOperation({
  ...membersOperation,
  id: 'listMembers',
  sdk: 'members.list',
  method: 'GET',
  path: '/api/v1/members',
  summary: 'List the members of the tenant',
  description:
    'Lists the people of the tenant, in the order in which they joined, also those who were removed. Members act in the live environment; the test environment has none.',
  action: 'read',
  scope: 'members:read',
  query: z.strictObject(pageById('member')),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ members: z.array(Member), next_cursor: nextCursor }).meta({ id: 'MemberPage' }),
  },
});

export const getMember = defineOperation({
  ...membersOperation,
  id: 'getMember',
  sdk: 'members.get',
  method: 'GET',
  path: '/api/v1/members/{member_id}',
  summary: 'Read one member',
  description: 'Returns one member with role and scopes, also one who was removed.',
  errors: ['not_found'],
  action: 'read',
  scope: 'members:read',
  params: z.strictObject({ member_id: pathId }),
  response: { kind: 'json', status: 200, schema: Member },
});

export const updateMember = defineOperation({
  ...membersOperation,
  id: 'updateMember',
  sdk: 'members.update',
  method: 'PATCH',
  path: '/api/v1/members/{member_id}',
  summary: 'Change the role or the name of a member',
  description:
    'Changes what a member may do; the change is in force on every gateway when the response arrives. The calling credential must hold everything that the member holds before and after the change. The last owner keeps the role: 409.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'members:write',
  params: z.strictObject({ member_id: pathId }),
  body: z.strictObject({ role: role.optional(), name: name.optional() }),
  response: { kind: 'json', status: 200, schema: Member },
});

export const removeMember = defineOperation({
  ...membersOperation,
  id: 'removeMember',
  sdk: 'members.remove',
  method: 'DELETE',
  path: '/api/v1/members/{member_id}',
  summary: 'Remove a member',
  description:
    'Removes a member for good: when the response arrives, no gateway accepts any of its sessions, and open invitations that it sent are void. Keys that it created stay valid unless `descendants=true`. The calling credential must hold everything that the member holds, and with `descendants=true` everything that each of them holds; the last owner cannot be removed: 409. A repeat returns the same answer.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'members:write',
  params: z.strictObject({ member_id: pathId }),
  query: z.strictObject({
    descendants: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .optional()
      .meta({
        description:
          'Also revoke everything that came of the member: keys and OAuth clients that it created, and people whom it invited, transitively.',
      }),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z
      .object({
        member_id: z.string(),
        removed: z.literal(true),
        removed_at: timestamp,
        descendants: z
          .object({ members: z.array(z.string()), api_keys: z.array(z.string()), oauth_clients: z.array(z.string()) })
          .optional()
          .meta({ description: 'With `descendants=true`: everything that came of the member and is revoked.' }),
      })
      .meta({ id: 'RemovedMember' }),
  },
});

export const createMemberTicket = defineOperation({
  ...membersOperation,
  id: 'createMemberTicket',
  sdk: 'members.createTicket',
  method: 'POST',
  path: '/api/v1/members/{member_id}/tickets',
  summary: 'Make a link that signs a member in once',
  description:
    'For installations without an identity provider: makes a ticket that opens one session of the member, within ten minutes; pass its link on to that person alone. The calling credential must hold everything that the member holds. A member who has an account at the identity provider signs in there: 409.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'members:write',
  params: z.strictObject({ member_id: pathId }),
  response: {
    kind: 'json',
    status: 201,
    schema: z
      .object({
        member_id: z.string(),
        ticket: z.string().meta({ description: 'In this answer and never again.' }),
        url: z.string(),
        expires_at: timestamp,
      })
      .meta({ id: 'MemberTicket' }),
  },
});

const Invitation = z
  .object({
    invitation_id: z.string(),
    email: z.string(),
    role,
    status: z.enum(['open', 'accepted', 'revoked', 'expired']),
    invited_by: z.string().meta({ description: 'The member or the key that made it; it is void when that ends.' }),
    member_id: z.string().nullable().meta({ description: 'Who accepted it.' }),
    created_at: timestamp,
    expires_at: timestamp,
  })
  .meta({ id: 'Invitation' });

export const createInvitation = defineOperation({
  ...membersOperation,
  id: 'createInvitation',
  sdk: 'invitations.create',
  method: 'POST',
  path: '/api/v1/invitations',
  summary: 'Invite a person',
  description:
    'Invites the person with an e-mail address to become a member with a role that the calling credential holds itself. Cairn sends no mail: pass `url` on. Where people sign in with an identity provider, the first sign-in with that address, verified there, accepts the invitation; elsewhere the link does, once. It is good for seven days.',
  errors: ['conflict'],
  action: 'write',
  scope: 'members:write',
  idempotent: true,
  body: z.strictObject({ email, role }),
  response: {
    kind: 'json',
    status: 201,
    schema: Invitation.extend({
      invitation: z
        .string()
        .optional()
        .meta({ description: 'The secret of the link. In the answer that made it and never again.' }),
      url: z
        .string()
        .optional()
        .meta({ description: 'Leads a browser to the console with the secret behind the `#`.' }),
    }).meta({ id: 'InvitationWithLink' }),
  },
});

export const listInvitations = defineOperation({
  ...membersOperation,
  id: 'listInvitations',
  sdk: 'invitations.list',
  method: 'GET',
  path: '/api/v1/invitations',
  summary: 'List invitations',
  description: 'Lists the invitations of the tenant, oldest first, without their secrets; ended ones for thirty days.',
  action: 'read',
  scope: 'members:read',
  query: z.strictObject(pageById('invitation')),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ invitations: z.array(Invitation), next_cursor: nextCursor }).meta({ id: 'InvitationPage' }),
  },
});

export const revokeInvitation = defineOperation({
  ...membersOperation,
  id: 'revokeInvitation',
  sdk: 'invitations.revoke',
  method: 'DELETE',
  path: '/api/v1/invitations/{invitation_id}',
  summary: 'Revoke an invitation',
  description:
    'Makes an invitation void, so that nobody can accept it any more. The calling credential must hold what the role holds, or have made the invitation. One that was accepted is a member: 409. A repeat returns the same answer.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'members:write',
  params: z.strictObject({ invitation_id: pathId }),
  response: { kind: 'json', status: 200, schema: Invitation },
});
