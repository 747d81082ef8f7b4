import * as operations from '@cairn/contracts';
import type { KeyRing } from '@cairn/encryption';
import type { Database } from '@cairn/postgres';
import { type BoundOperation, handle } from '@cairn/service-kit';
import type { CloseDeps } from './memories/close-memories.ts';
import { createMemory } from './memories/create-memory.ts';
import { deleteMemory } from './memories/delete-memory.ts';
import { getMemory } from './memories/get-memory.ts';
import { listMemories } from './memories/list-memories.ts';
import { updateMemory } from './memories/update-memory.ts';
import { readLimits, type ReadLimitsDeps } from './plans/read-limits.ts';
import type { PlanCatalog } from './plans/plans.ts';
import { deleteProviderKey } from './provider-keys/delete-provider-key.ts';
import { getProviderKey } from './provider-keys/get-provider-key.ts';
import { listProviderKeys } from './provider-keys/list-provider-keys.ts';
import { putProviderKey } from './provider-keys/put-provider-key.ts';
import { createSpace } from './spaces/create-space.ts';
import { deleteSpaceMember } from './spaces/delete-space-member.ts';
import { deleteSpace } from './spaces/delete-space.ts';
import { getSpace } from './spaces/get-space.ts';
import { listSpaceMembers } from './spaces/list-space-members.ts';
import { listSpaces } from './spaces/list-spaces.ts';
import { putSpaceMember } from './spaces/put-space-member.ts';
import { updateSpace } from './spaces/update-space.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';
import { deleteWorkspace } from './workspaces/delete-workspace.ts';
import { getWorkspace } from './workspaces/get-workspace.ts';
import { listWorkspaces } from './workspaces/list-workspaces.ts';
import { updateWorkspace } from './workspaces/update-workspace.ts';

interface OperationDeps extends CloseDeps {
  database: Database;
  plans: PlanCatalog;
  keyRing: KeyRing;
  /** For addresses that tenants register: whether they may lie in a private network. */
  allowPrivateNetwork: boolean;
  /** Without a trailing slash; the prefix of the URLs that responses contain. */
  baseUrl: string;
  /** True when there is a provisioner of servers for dedicated memories. */
  offersDedicated: boolean;
}

/** The operations of this service, bound to their handlers. */
export function boundOperations(deps: OperationDeps & ReadLimitsDeps): BoundOperation[] {
  return [
    handle(operations.readLimits, (request) => readLimits(deps, request)),
    handle(operations.createWorkspace, (request) => createWorkspace(deps, request)),
    handle(operations.listWorkspaces, (request) => listWorkspaces(deps, request)),
    handle(operations.getWorkspace, (request) => getWorkspace(deps, request)),
    handle(operations.updateWorkspace, (request) => updateWorkspace(deps, request)),
    handle(operations.deleteWorkspace, (request) => deleteWorkspace(deps, request)),
    handle(operations.createMemory, (request) => createMemory(deps, request)),
    handle(operations.listMemories, (request) => listMemories(deps, request)),
    handle(operations.getMemory, (request) => getMemory(deps, request)),
    handle(operations.updateMemory, (request) => updateMemory(deps, request)),
    handle(operations.deleteMemory, (request) => deleteMemory(deps, request)),
    handle(operations.createSpace, (request) => createSpace(deps, request)),
    handle(operations.listSpaces, (request) => listSpaces(deps, request)),
    handle(operations.getSpace, (request) => getSpace(deps, request)),
    handle(operations.updateSpace, (request) => updateSpace(deps, request)),
    handle(operations.deleteSpace, (request) => deleteSpace(deps, request)),
    handle(operations.listSpaceMembers, (request) => listSpaceMembers(deps, request)),
    handle(operations.putSpaceMember, (request) => putSpaceMember(deps, request)),
    handle(operations.deleteSpaceMember, (request) => deleteSpaceMember(deps, request)),
    handle(operations.putProviderKey, (request) => putProviderKey(deps, request)),
    handle(operations.listProviderKeys, (request) => listProviderKeys(deps, request)),
    handle(operations.getProviderKey, (request) => getProviderKey(deps, request)),
    handle(operations.deleteProviderKey, (request) => deleteProviderKey(deps, request)),
  ];
}
