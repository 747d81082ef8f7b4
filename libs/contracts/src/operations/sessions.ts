import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { nextCursor, pageById, pathId, timestamp } from './shared.ts';

const SECRET_MAX_CHARS = 512;

const Session = z
  .object({
    session_id: z.string(),
    key_id: z.string().meta({ description: 'The key that it stands for: it may do what that may, and ends with it.' }),
    key_name: z.string(),
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
    'Exchanges a key, or a ticket that a key has made, for a session. The session itself is in the cookie of the answer, which pages cannot read; the browser then needs no key. A ticket opens one session. Called by a browser, it must be from a page of the same host.',
  errors: ['credential_invalid', 'credential_expired', 'credential_revoked', 'permission_denied'],
  tag: 'Sessions',
  service: 'keys',
  credential: 'none',
  sameOrigin: true,
  body: z
    .strictObject({
      api_key: z.string().min(1).max(SECRET_MAX_CHARS).optional(),
      ticket: z.string().min(1).max(SECRET_MAX_CHARS).optional(),
    })
    .refine((body) => (body.api_key === undefined) !== (body.ticket === undefined), 'needs api_key or ticket'),
  response: { kind: 'json', status: 200, schema: Session },
});

export const listSessions = defineOperation({
  ...sessionOperation,
  id: 'listSessions',
  sdk: 'sessions.list',
  method: 'GET',
  path: '/api/v1/console/sessions',
  summary: 'List the sessions of the console',
  description:
    "Lists the sessions that stand for keys of the key's environment, oldest first, also those that have ended in the last thirty days.",
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
    'Ends any session of the environment. When it answers, every gateway refuses the session, and what was open by it is closed. The key that it stood for goes on.',
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
