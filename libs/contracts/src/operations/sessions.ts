import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { id, name, nextCursor, pageById, pathId, timestamp } from './shared.ts';

const SECRET_MAX_CHARS = 512;
/** Of what an identity provider makes up. */
const PROVIDER_VALUE_MAX_CHARS = 2_048;

const Session = z
  .object({
    session_id: z.string(),
    key_id: z
      .string()
      .meta({ description: 'The key or the member that it stands for: it may do what that may, and ends with it.' }),
    key_name: z.string().meta({ description: 'The name of that key or member.' }),
    livemode: z.boolean(),
    address: z.string().meta({ description: 'From where it was opened.' }),
    user_agent: z.string(),
    created_at: timestamp,
    last_used_at: timestamp.meta({ description: 'To within some minutes.' }),
    expires_at: timestamp.meta({ description: 'When it ends unless it is used before.' }),
    ends_at: timestamp.meta({ description: 'When it ends at the latest.' }),
    ended_at: timestamp.nullable(),
    current: z.boolean().meta({ description: 'The request was made with it.' }),
  })
  .meta({ id: 'Session' });

const sessionOperation = { service: 'keys', app: 'keys', tag: 'Sessions' } as const;

export const openSession = defineOperation({
  id: 'openSession',
  sdk: 'sessions.open',
  method: 'POST',
  path: '/api/v1/console/sessions',
  summary: 'Open a session of the console',
  description:
    'Exchanges one proof for a session: a key, a ticket, an invitation, which makes its person a member first, or what the identity provider answered to a sign-in that this browser began. The session itself is in the cookie of the answer, which pages cannot read; the browser then needs no key. Tickets, invitations and sign-ins can be used once. Called by a browser, it must be from a page of the same host.',
  errors: ['credential_invalid', 'credential_expired', 'credential_revoked', 'permission_denied', 'conflict'],
  tag: 'Sessions',
  service: 'keys',
  credential: 'none',
  sameOrigin: true,
  body: z
    .strictObject({
      api_key: z.string().min(1).max(SECRET_MAX_CHARS).optional(),
      ticket: z.string().min(1).max(SECRET_MAX_CHARS).optional(),
      invitation: z
        .strictObject({ secret: z.string().min(1).max(SECRET_MAX_CHARS), name })
        .optional()
        .meta({ description: 'Where no identity provider is configured.' }),
      sign_in: z
        .strictObject({
          attempt: z.string().min(1).max(SECRET_MAX_CHARS).meta({ description: '`attempt` of startSignIn.' }),
          code: z.string().min(1).max(PROVIDER_VALUE_MAX_CHARS),
          state: z.string().min(1).max(PROVIDER_VALUE_MAX_CHARS),
          iss: z.string().min(1).max(PROVIDER_VALUE_MAX_CHARS).optional(),
        })
        .optional()
        .meta({ description: 'What the identity provider added to the address that it led the browser back to.' }),
    })
    .refine(
      (body) => Object.values(body).filter((proof) => proof !== undefined).length === 1,
      'needs one of api_key, ticket, invitation and sign_in',
    ),
  response: { kind: 'json', status: 200, schema: Session },
});

export const readSignIn = defineOperation({
  id: 'readSignIn',
  sdk: 'sessions.signInOptions',
  method: 'GET',
  path: '/api/v1/console/sign-in',
  summary: 'Read how people sign in to the console',
  description:
    'Names the identity provider that people sign in with, if the operator has configured one. Keys, tickets and links work either way.',
  tag: 'Sessions',
  service: 'keys',
  credential: 'none',
  query: z.strictObject({}),
  response: {
    kind: 'json',
    status: 200,
    schema: z
      .object({
        provider: z
          .object({ name: z.string().meta({ description: 'As the operator calls it.' }) })
          .nullable()
          .meta({ description: 'Null: none is configured.' }),
      })
      .meta({ id: 'SignInOptions' }),
  },
});

const SignInAttempt = z
  .object({
    url: z.string(),
    attempt: z.string().meta({ description: 'A secret of this browser; whoever lacks it cannot finish.' }),
    expires_at: timestamp,
  })
  .meta({ id: 'SignInAttempt' });

export const startSignIn = defineOperation({
  id: 'startSignIn',
  sdk: 'sessions.startSignIn',
  method: 'POST',
  path: '/api/v1/console/sign-in',
  summary: 'Begin to sign in with the identity provider',
  description:
    'Returns the address of the identity provider to lead the browser to (OpenID Connect, authorization code with PKCE). The browser keeps `attempt`; the provider leads it back to `/console/sign-in` with a code, and openSession takes both, once, within ten minutes. 404 when no provider is configured.',
  errors: ['not_found'],
  tag: 'Sessions',
  service: 'keys',
  credential: 'none',
  sameOrigin: true,
  body: z.strictObject({
    invitation: z.string().min(1).max(SECRET_MAX_CHARS).optional().meta({
      description: 'The secret of the invitation to accept, for whoever is a member elsewhere already.',
    }),
    member_id: id('member').optional().meta({
      description:
        'Which one, for whoever is a member of several tenants; otherwise the one signed in as last. Only members whose account is linked.',
    }),
  }),
  response: { kind: 'json', status: 200, schema: SignInAttempt },
});

export const startAccountLink = defineOperation({
  ...sessionOperation,
  id: 'startAccountLink',
  sdk: 'sessions.startLink',
  method: 'POST',
  path: '/api/v1/console/sign-in/link',
  summary: 'Begin to link an account at the identity provider',
  description:
    'For a member who joined before there was an identity provider: begins a sign-in that links the account to the member of the calling session. It is finished like one of startSignIn. The provider must have verified the e-mail address of the member. A member who has an account already: 409. 404 when no provider is configured.',
  errors: ['not_found', 'conflict'],
  reach: 'tenant',
  action: 'write',
  scope: null,
  response: { kind: 'json', status: 200, schema: SignInAttempt },
});

export const listSessions = defineOperation({
  ...sessionOperation,
  id: 'listSessions',
  sdk: 'sessions.list',
  method: 'GET',
  path: '/api/v1/console/sessions',
  summary: 'List the sessions of the console',
  description:
    "Lists the sessions that stand for keys and members of the key's environment, oldest first, also those that have ended in the last thirty days.",
  reach: 'tenant',
  action: 'read',
  scope: 'keys:read',
  query: z.strictObject(pageById('session')),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ sessions: z.array(Session), next_cursor: nextCursor }).meta({ id: 'SessionPage' }),
  },
});

const Ended = z
  .object({ session_id: z.string(), ended: z.literal(true), ended_at: timestamp })
  .meta({ id: 'EndedSession' });

export const signOut = defineOperation({
  ...sessionOperation,
  id: 'signOut',
  sdk: 'sessions.signOut',
  method: 'DELETE',
  path: '/api/v1/console/sessions/current',
  summary: 'End the session that makes the request',
  description:
    'Ends the session of the cookie that the request was made with, on every gateway before the answer, and takes the cookie away. With a key instead of a session the answer is `not_found`.',
  errors: ['not_found'],
  reach: 'memory',
  action: 'write',
  scope: null,
  response: { kind: 'json', status: 200, schema: Ended },
});

export const endSession = defineOperation({
  ...sessionOperation,
  id: 'endSession',
  sdk: 'sessions.end',
  method: 'DELETE',
  path: '/api/v1/console/sessions/{session_id}',
  summary: 'End a session of the console',
  description:
    'Ends a session of the environment: one of the caller itself, of a key that it may revoke, or of a member who holds no more than it does. When it answers, every gateway refuses the session, and what was open by it is closed. The key or the member that it stood for goes on.',
  errors: ['not_found'],
  reach: 'tenant',
  action: 'write',
  scope: 'keys:write',
  params: z.object({ session_id: pathId }),
  response: { kind: 'json', status: 200, schema: Ended },
});

export const createSessionTicket = defineOperation({
  ...sessionOperation,
  id: 'createSessionTicket',
  sdk: 'sessions.createTicket',
  method: 'POST',
  path: '/api/v1/console/tickets',
  summary: 'Make a link that signs in to the console once',
  description:
    'Makes a ticket that opens one session standing for the calling key, within ten minutes. `url` leads a browser to the console with the ticket behind the `#`, which no server and no log sees. Neither an OAuth token nor a session can make one.',
  errors: ['permission_denied'],
  reach: 'memory',
  action: 'write',
  scope: null,
  response: {
    kind: 'json',
    status: 201,
    schema: z
      .object({
        ticket: z.string().meta({ description: 'In this answer and never again.' }),
        url: z.string(),
        expires_at: timestamp,
      })
      .meta({ id: 'SessionTicket' }),
  },
});
