import { z } from 'zod';
import { defineOperation, TEXT_BODY_MAX_BYTES } from '../operation.ts';
import { id, nextCursor, pageBy, pageById, pathId, shownLine, timestamp } from './shared.ts';

/** A page of turns ends with the number of its last one. */
const TURN_CURSOR = /^\d{1,9}$/;

export const TURN_ROLES = ['user', 'assistant'] as const;
export const TURN_CONTENT_MAX_CHARS = 100_000;

export const Thread = z
  .object({
    thread_id: z.string(),
    title: z.string(),
    memory_id: z.string(),
    space_id: z.string().nullable(),
    vault_id: z.string(),
    user: z.string().nullable(),
    turn_count: z.number().int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Thread' });

const Turn = z
  .object({
    turn_id: z.string(),
    thread_id: z.string(),
    role: z.enum(TURN_ROLES),
    content: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'Turn' });

const title = shownLine(500);
const threadParams = z.strictObject({ thread_id: pathId });

const threadsOperation = { service: 'memory', app: 'memory', tag: 'Threads', reach: 'memory' } as const;
const reading = { action: 'read', scope: 'threads:read' } as const;
const writing = { action: 'write', scope: 'threads:write' } as const;

export const createThread = defineOperation({
  ...threadsOperation,
  ...writing,
  id: 'createThread',
  sdk: 'threads.create',
  method: 'POST',
  path: '/api/v1/threads',
  summary: 'Start a conversation in a memory or in one of its spaces',
  description:
    'Starts a conversation in a memory or in one of its spaces. Searches that name it understand follow-up questions and add their question and answer as turns.',
  errors: ['not_found', 'conflict'],
  idempotent: true,
  body: z.strictObject({
    title: title.default(''),
    memory_id: id('memory')
      .optional()
      .meta({ description: "Default: the space's, the key's, else the default workspace's primary memory." }),
    space_id: id('space').optional().meta({ description: "Default: the key's space, else none." }),
    user: z.string().min(1).max(128).optional().meta({ description: 'Whom usage of the conversation counts for.' }),
  }),
  response: { kind: 'json', status: 201, schema: Thread },
});

export const listThreads = defineOperation({
  ...threadsOperation,
  ...reading,
  id: 'listThreads',
  sdk: 'threads.list',
  method: 'GET',
  path: '/api/v1/threads',
  summary: 'List the conversations of the tenant, of one memory or of one space',
  description: 'Lists conversations without their turns, oldest first.',
  errors: ['not_found', 'conflict'],
  query: z.strictObject({
    memory_id: z.string().max(128).optional(),
    space_id: z.string().max(128).optional(),
    ...pageById('thread'),
  }),
  response: { kind: 'json', status: 200, schema: z.object({ threads: z.array(Thread), next_cursor: nextCursor }) },
});

export const getThread = defineOperation({
  ...threadsOperation,
  ...reading,
  id: 'getThread',
  sdk: 'threads.get',
  method: 'GET',
  path: '/api/v1/threads/{thread_id}',
  summary: 'Read one conversation, without its turns',
  description: 'Returns title, place, user and number of turns.',
  errors: ['not_found', 'conflict'],
  params: threadParams,
  response: { kind: 'json', status: 200, schema: Thread },
});

export const updateThread = defineOperation({
  ...threadsOperation,
  ...writing,
  id: 'updateThread',
  sdk: 'threads.update',
  method: 'PATCH',
  path: '/api/v1/threads/{thread_id}',
  summary: 'Change the title of a conversation',
  description: 'Changes the title of the conversation; its turns stay as they are.',
  errors: ['not_found', 'conflict'],
  params: threadParams,
  body: z.strictObject({ title: title.optional() }),
  response: { kind: 'json', status: 200, schema: Thread },
});

export const deleteThread = defineOperation({
  ...threadsOperation,
  ...writing,
  id: 'deleteThread',
  sdk: 'threads.delete',
  method: 'DELETE',
  path: '/api/v1/threads/{thread_id}',
  summary: 'Delete a conversation with its turns',
  description: 'Deletes the conversation with all its turns, permanently.',
  errors: ['not_found', 'conflict'],
  params: threadParams,
  response: { kind: 'json', status: 200, schema: z.object({ thread_id: z.string(), deleted: z.literal(true) }) },
});

export const addTurn = defineOperation({
  ...threadsOperation,
  ...writing,
  id: 'addTurn',
  sdk: 'threads.turns.add',
  method: 'POST',
  path: '/api/v1/threads/{thread_id}/turns',
  summary: 'Add a turn to a conversation',
  description:
    "Appends a turn, which is stored when the response arrives. What the memory's policy masks is masked before it is stored, and the response shows the masked text.",
  errors: ['not_found', 'conflict'],
  idempotent: true,
  params: threadParams,
  bodyMaxBytes: TEXT_BODY_MAX_BYTES,
  body: z.strictObject({
    role: z.enum(TURN_ROLES),
    content: z.string().min(1).max(TURN_CONTENT_MAX_CHARS),
  }),
  response: { kind: 'json', status: 201, schema: Turn },
});

export const listTurns = defineOperation({
  ...threadsOperation,
  ...reading,
  id: 'listTurns',
  sdk: 'threads.turns.list',
  method: 'GET',
  path: '/api/v1/threads/{thread_id}/turns',
  summary: 'List the turns of a conversation, oldest first',
  description: 'Returns the turns in the order in which they were added.',
  errors: ['not_found', 'conflict'],
  params: threadParams,
  query: z.strictObject(pageBy(TURN_CURSOR)),
  response: { kind: 'json', status: 200, schema: z.object({ turns: z.array(Turn), next_cursor: nextCursor }) },
});
