import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { id, name, nextCursor, pageById, pathId, timestamp } from './shared.ts';

export const MEMORY_STATUSES = ['provisioning', 'active', 'suspended', 'deleting', 'failed'] as const;
export const DLP_POLICIES = ['off', 'secrets', 'pii'] as const;

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
    dlp_policy: z.enum(DLP_POLICIES),
    created_at: timestamp,
  })
  .meta({ id: 'Memory' });

const description = z.string().max(2_000);
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
  summary: 'Delete a workspace with all its memories; the erasing goes on in the background',
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
  action: 'write',
  scope: 'memories:write',
  idempotent: true,
  body: z.strictObject({
    display_name: name,
    type: z.enum(['shared', 'dedicated']).default('shared'),
    workspace_id: id('workspace').optional(),
    dlp_policy: z.enum(DLP_POLICIES).default('secrets'),
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
  summary: 'List every memory of the tenant, or of one workspace',
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
  summary: 'Change a memory, suspend it or take it up again',
  action: 'write',
  scope: 'memories:write',
  params: z.strictObject({ memory_id: pathId }),
  body: z.strictObject({
    display_name: name.optional(),
    dlp_policy: z.enum(DLP_POLICIES).optional(),
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
  summary: 'Delete a memory with everything in it; the erasing goes on in the background',
  action: 'write',
  scope: 'memories:write',
  params: z.strictObject({ memory_id: pathId }),
  response: { kind: 'json', status: 202, schema: Memory },
});
