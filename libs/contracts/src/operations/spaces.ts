import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { id, name, nextCursor, pageBy, pageById, pathId, shownText, timestamp } from './shared.ts';

/** A page of members ends with a user, whose name may be anything. */
const USER_CURSOR = /^usr_[\w-]{2,690}$/;

export function userCursorOf(user: string): string {
  return `usr_${Buffer.from(user).toString('base64url')}`;
}

export function userOfCursor(cursor: string): string {
  return Buffer.from(cursor.slice('usr_'.length), 'base64url').toString();
}

export const SPACE_ROLES = ['reader', 'writer'] as const;

export const Space = z
  .object({
    space_id: z.string(),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    vault_id: z.string().meta({ description: 'Where the documents of the space lie.' }),
    memory_id: z.string(),
    member_count: z.number().int(),
    mcp_url: z.string().meta({ description: 'The MCP endpoint of the space, from the base address.' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Space' });

const SpaceMember = z
  .object({ user: z.string(), role: z.enum(SPACE_ROLES), created_at: timestamp, updated_at: timestamp })
  .meta({ id: 'SpaceMember' });

const description = shownText(2_000).meta({
  description: 'What belongs here; documents without a space are routed by it.',
});
const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/, 'must be lower-case letters, digits and hyphens');
const spaceParams = z.strictObject({ space_id: pathId });
/** A member is whatever the tenant calls its users: an id, an address, a name. */
const memberParams = z.strictObject({ space_id: pathId, user: z.string().min(1).max(128) });

const spacesOperation = { service: 'tenancy', app: 'tenancy', tag: 'Spaces' } as const;
const reading = { action: 'read', scope: 'spaces:read', reach: 'memory' } as const;
const writing = { action: 'write', scope: 'spaces:write', reach: 'tenant' } as const;

export const createSpace = defineOperation({
  ...spacesOperation,
  ...writing,
  id: 'createSpace',
  sdk: 'spaces.create',
  method: 'POST',
  path: '/api/v1/spaces',
  summary: 'Create a space in a memory',
  description:
    'Creates a space with its vault. Its name and description help to route documents that are added without a space. A slug that you specify must be free within the memory.',
  errors: ['not_found', 'conflict', 'plan_limit_reached'],
  idempotent: true,
  body: z.strictObject({
    name,
    memory_id: id('memory').optional().meta({ description: "Default: the default workspace's primary memory." }),
    description: description.default(''),
    slug: slug.optional(),
  }),
  response: { kind: 'json', status: 201, schema: Space },
});

export const listSpaces = defineOperation({
  ...spacesOperation,
  ...reading,
  id: 'listSpaces',
  sdk: 'spaces.list',
  method: 'GET',
  path: '/api/v1/spaces',
  summary: 'List the spaces of the tenant or of one memory',
  description: 'Lists spaces, oldest first; a memory key sees those it reaches.',
  errors: ['not_found'],
  query: z.strictObject({ memory_id: z.string().max(128).optional(), ...pageById('space') }),
  response: { kind: 'json', status: 200, schema: z.object({ spaces: z.array(Space), next_cursor: nextCursor }) },
});

export const getSpace = defineOperation({
  ...spacesOperation,
  ...reading,
  id: 'getSpace',
  sdk: 'spaces.get',
  method: 'GET',
  path: '/api/v1/spaces/{space_id}',
  summary: 'Read one space',
  description: 'Returns one space with the id of its vault.',
  errors: ['not_found'],
  params: spaceParams,
  response: { kind: 'json', status: 200, schema: Space },
});

export const updateSpace = defineOperation({
  ...spacesOperation,
  ...writing,
  id: 'updateSpace',
  sdk: 'spaces.update',
  method: 'PATCH',
  path: '/api/v1/spaces/{space_id}',
  summary: 'Change the name, description or slug of a space',
  description: 'Changes only the fields that are given. A slug that is already taken in the memory is refused.',
  errors: ['not_found', 'conflict'],
  params: spaceParams,
  body: z.strictObject({
    name: name.optional(),
    description: description.optional(),
    slug: slug.optional(),
  }),
  response: { kind: 'json', status: 200, schema: Space },
});

export const deleteSpace = defineOperation({
  ...spacesOperation,
  ...writing,
  id: 'deleteSpace',
  sdk: 'spaces.delete',
  method: 'DELETE',
  path: '/api/v1/spaces/{space_id}',
  summary: 'Delete a space with its documents and threads',
  description:
    'Removes the space with its documents, threads and keys for every caller at once. Erasure goes on in the background and includes runs that read from the space.',
  errors: ['not_found', 'conflict'],
  params: spaceParams,
  response: { kind: 'json', status: 202, schema: z.object({ space_id: z.string(), deleted: z.literal(true) }) },
});

export const listSpaceMembers = defineOperation({
  ...spacesOperation,
  ...reading,
  id: 'listSpaceMembers',
  sdk: 'spaces.members.list',
  method: 'GET',
  path: '/api/v1/spaces/{space_id}/members',
  summary: 'List the members of a space',
  description: 'Lists the members with their roles. Members are identified by whatever you call your users.',
  errors: ['not_found'],
  params: spaceParams,
  query: z.strictObject(pageBy(USER_CURSOR)),
  response: { kind: 'json', status: 200, schema: z.object({ members: z.array(SpaceMember), next_cursor: nextCursor }) },
});

export const putSpaceMember = defineOperation({
  ...spacesOperation,
  ...writing,
  id: 'putSpaceMember',
  sdk: 'spaces.members.put',
  method: 'PUT',
  path: '/api/v1/spaces/{space_id}/members/{user}',
  summary: 'Add a member to a space or change the role',
  description:
    'Adds the user or changes the role. Roles are informational: your application enforces them, because a key acts with its own scopes.',
  errors: ['not_found', 'conflict'],
  params: memberParams,
  body: z.strictObject({ role: z.enum(SPACE_ROLES) }),
  response: { kind: 'json', status: 200, schema: SpaceMember },
});

export const deleteSpaceMember = defineOperation({
  ...spacesOperation,
  ...writing,
  id: 'deleteSpaceMember',
  sdk: 'spaces.members.delete',
  method: 'DELETE',
  path: '/api/v1/spaces/{space_id}/members/{user}',
  summary: 'Remove a member from a space',
  description: 'Removes the user from the space; nothing that the user added is deleted.',
  errors: ['not_found'],
  params: memberParams,
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ space_id: z.string(), user: z.string(), deleted: z.literal(true) }),
  },
});
