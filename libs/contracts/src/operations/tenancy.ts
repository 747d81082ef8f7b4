import { z } from 'zod';
import { memorySettingFields } from '../memory-settings.ts';
import { defineOperation } from '../operation.ts';
import { id, name, nextCursor, pageById, pathId, shownText, timestamp } from './shared.ts';

export const MEMORY_STATUSES = ['provisioning', 'active', 'suspended', 'deleting', 'failed'] as const;

export const Workspace = z
  .object({
    workspace_id: z.string(),
    tenant_id: z.string(),
    name: z.string(),
    description: z.string(),
    slug: z.string(),
    is_default: z.boolean(),
    primary_memory_id: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Workspace' });

export const Memory = z
  .object({
    memory_id: z.string(),
    workspace_id: z.string(),
    display_name: z.string(),
    type: z.enum(['shared', 'dedicated']),
    status: z.enum(MEMORY_STATUSES),
    status_reason: z.string().nullable().meta({ description: 'Why a memory is `failed`; null otherwise.' }),
    memory_serial: z.number().int(),
    subdomain: z.string(),
    ...memorySettingFields('shown'),
    created_at: timestamp,
  })
  .meta({ id: 'Memory' });

const description = shownText(2_000);
const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/, 'must be lower-case letters, digits and hyphens');

const tenancyOperation = { service: 'tenancy', app: 'tenancy', reach: 'tenant' } as const;

export const createWorkspace = defineOperation({
  ...tenancyOperation,
  id: 'createWorkspace',
  sdk: 'workspaces.create',
  tag: 'Workspaces',
  method: 'POST',
  path: '/api/v1/workspaces',
  summary: 'Create a workspace with its primary shared memory',
  description:
    'Creates a workspace together with its primary shared memory, in one step. A slug that you specify must be free within the tenant; a generated one gets a numeric suffix.',
  errors: ['conflict', 'plan_limit_reached'],
  action: 'write',
  scope: 'workspaces:write',
  idempotent: true,
  body: z.strictObject({
    name,
    description: description.default(''),
    slug: slug.optional(),
  }),
  response: { kind: 'json', status: 201, schema: z.object({ workspace: Workspace }) },
});

export const listWorkspaces = defineOperation({
  ...tenancyOperation,
  id: 'listWorkspaces',
  sdk: 'workspaces.list',
  tag: 'Workspaces',
  method: 'GET',
  path: '/api/v1/workspaces',
  summary: 'List the workspaces of the tenant',
  description: 'Lists the workspaces that are not deleted, oldest first.',
  action: 'read',
  scope: 'workspaces:read',
  query: z.strictObject(pageById('workspace')),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ workspaces: z.array(Workspace), next_cursor: nextCursor }),
  },
});

export const getWorkspace = defineOperation({
  ...tenancyOperation,
  id: 'getWorkspace',
  sdk: 'workspaces.get',
  tag: 'Workspaces',
  method: 'GET',
  path: '/api/v1/workspaces/{workspace_id}',
  summary: 'Read one workspace',
  description: 'Returns one workspace with the id of its primary memory.',
  errors: ['not_found'],
  action: 'read',
  scope: 'workspaces:read',
  params: z.strictObject({ workspace_id: pathId }),
  response: { kind: 'json', status: 200, schema: z.object({ workspace: Workspace }) },
});

export const updateWorkspace = defineOperation({
  ...tenancyOperation,
  id: 'updateWorkspace',
  sdk: 'workspaces.update',
  tag: 'Workspaces',
  method: 'PATCH',
  path: '/api/v1/workspaces/{workspace_id}',
  summary: 'Change the name, description or slug of a workspace',
  description: 'Changes only the fields that are given. A slug that is already taken is refused.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'workspaces:write',
  params: z.strictObject({ workspace_id: pathId }),
  body: z.strictObject({
    name: name.optional(),
    description: description.optional(),
    slug: slug.optional(),
  }),
  response: { kind: 'json', status: 200, schema: z.object({ workspace: Workspace }) },
});

export const deleteWorkspace = defineOperation({
  ...tenancyOperation,
  id: 'deleteWorkspace',
  sdk: 'workspaces.delete',
  tag: 'Workspaces',
  method: 'DELETE',
  path: '/api/v1/workspaces/{workspace_id}',
  summary: 'Delete a workspace with all its memories',
  description:
    'Removes the workspace, its memories and their spaces for every caller at once; keys bound to them stop working. Erasure goes on in the background and leaves no rows, index entries or files. The default workspace cannot be deleted.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'workspaces:write',
  params: z.strictObject({ workspace_id: pathId }),
  response: { kind: 'json', status: 202, schema: z.object({ workspace_id: z.string(), deleted: z.literal(true) }) },
});

export const createMemory = defineOperation({
  ...tenancyOperation,
  id: 'createMemory',
  sdk: 'memories.create',
  tag: 'Memories',
  method: 'POST',
  path: '/api/v1/memories',
  summary: 'Create a memory',
  description:
    'Creates a memory in a workspace, by default in the default one. A dedicated memory is `provisioning` until its own PostgreSQL server is ready; poll it, or wait for `active`.',
  errors: ['not_found', 'conflict', 'plan_limit_reached'],
  action: 'write',
  scope: 'memories:write',
  idempotent: true,
  body: z.strictObject({
    display_name: name,
    type: z
      .enum(['shared', 'dedicated'])
      .default('shared')
      .meta({ description: '`dedicated`: with a PostgreSQL server of its own.' }),
    workspace_id: id('workspace').optional(),
    ...memorySettingFields('created'),
  }),
  response: { kind: 'json', status: 201, schema: Memory },
});

export const listMemories = defineOperation({
  ...tenancyOperation,
  id: 'listMemories',
  sdk: 'memories.list',
  tag: 'Memories',
  method: 'GET',
  path: '/api/v1/memories',
  summary: 'List the memories of the tenant or of one workspace',
  description:
    'Lists memories with their status, hostname and policy, oldest first; `workspace_id` selects one workspace.',
  errors: ['not_found'],
  action: 'read',
  scope: 'memories:read',
  query: z.strictObject({ workspace_id: z.string().max(128).optional(), ...pageById('memory') }),
  response: { kind: 'json', status: 200, schema: z.object({ memories: z.array(Memory), next_cursor: nextCursor }) },
});

export const getMemory = defineOperation({
  ...tenancyOperation,
  id: 'getMemory',
  sdk: 'memories.get',
  tag: 'Memories',
  method: 'GET',
  path: '/api/v1/memories/{memory_id}',
  summary: 'Read one memory',
  description: 'Returns one memory. While it is being deleted its status is `deleting`; afterwards it does not exist.',
  errors: ['not_found'],
  action: 'read',
  scope: 'memories:read',
  params: z.strictObject({ memory_id: pathId }),
  response: { kind: 'json', status: 200, schema: Memory },
});

export const updateMemory = defineOperation({
  ...tenancyOperation,
  id: 'updateMemory',
  sdk: 'memories.update',
  tag: 'Memories',
  method: 'PATCH',
  path: '/api/v1/memories/{memory_id}',
  summary: 'Change, suspend or resume a memory',
  description:
    'Changes only the fields that are given. `status: suspended` rejects every request about the memory and keeps its data; `active` resumes it. A new masking policy, and `keep_originals`, apply to what is added afterwards.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'memories:write',
  params: z.strictObject({ memory_id: pathId }),
  body: z.strictObject({
    display_name: name.optional(),
    ...memorySettingFields('changed'),
    status: z
      .enum(['active', 'suspended'])
      .optional()
      .meta({ description: 'A suspended memory keeps its data and refuses every call about it.' }),
  }),
  response: { kind: 'json', status: 200, schema: Memory },
});

export const deleteMemory = defineOperation({
  ...tenancyOperation,
  id: 'deleteMemory',
  sdk: 'memories.delete',
  tag: 'Memories',
  method: 'DELETE',
  path: '/api/v1/memories/{memory_id}',
  summary: 'Delete a memory with everything in it',
  description:
    "Removes the memory for every caller at once and revokes the keys bound to it; runs that read from it are erased, too. Erasure goes on in the background. A workspace's primary memory can only be deleted with the workspace.",
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'memories:write',
  params: z.strictObject({ memory_id: pathId }),
  response: { kind: 'json', status: 202, schema: Memory },
});
