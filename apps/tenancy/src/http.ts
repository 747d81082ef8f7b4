import * as operation from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import { answer, type BoundOperation } from '@cairn/service-kit';
import type { ClosingParts } from './memories/begin-memory-erasure.ts';
import { createTenantMemory } from './memories/create-memory.ts';
import { removeMemory } from './memories/delete-memory.ts';
import { listTenantMemories, readMemory } from './memories/read-memories.ts';
import { updateTenantMemory } from './memories/update-memory.ts';
import {
  listTenantProviderKeys,
  readProviderKey,
  removeProviderKey,
  storeProviderKey,
} from './provider-keys/provider-keys.ts';
import type { Sealing } from '@cairn/sealing';
import { addMember, takeMemberOut } from './spaces/change-members.ts';
import { createTenantSpace } from './spaces/create-space.ts';
import { removeSpace } from './spaces/delete-space.ts';
import { listMembers, listTenantSpaces, readSpace } from './spaces/read-spaces.ts';
import { updateTenantSpace } from './spaces/update-space.ts';
import type { PlanBook } from './tenants/plans.ts';
import { createTenantWorkspace } from './workspaces/create-workspace.ts';
import { removeWorkspace } from './workspaces/delete-workspace.ts';
import { listTenantWorkspaces, readWorkspace } from './workspaces/read-workspaces.ts';
import { updateTenantWorkspace } from './workspaces/update-workspace.ts';

export interface OperationParts extends ClosingParts {
  database: Database;
  plans: PlanBook;
  sealing: Sealing;
  /** Without a trailing slash; goes before paths that are given out as addresses. */
  baseUrl: string;
  /** True when there is a provisioner of servers for dedicated memories. */
  offersDedicated: boolean;
}

/** The operations this service answers. */
export function operations(parts: OperationParts): BoundOperation[] {
  return [
    answer(operation.createWorkspace, (call) => createTenantWorkspace(parts, call)),
    answer(operation.listWorkspaces, (call) => listTenantWorkspaces(parts, call)),
    answer(operation.getWorkspace, (call) => readWorkspace(parts, call)),
    answer(operation.updateWorkspace, (call) => updateTenantWorkspace(parts, call)),
    answer(operation.deleteWorkspace, (call) => removeWorkspace(parts, call)),
    answer(operation.createMemory, (call) => createTenantMemory(parts, call)),
    answer(operation.listMemories, (call) => listTenantMemories(parts, call)),
    answer(operation.getMemory, (call) => readMemory(parts, call)),
    answer(operation.updateMemory, (call) => updateTenantMemory(parts, call)),
    answer(operation.deleteMemory, (call) => removeMemory(parts, call)),
    answer(operation.createSpace, (call) => createTenantSpace(parts, call)),
    answer(operation.listSpaces, (call) => listTenantSpaces(parts, call)),
    answer(operation.getSpace, (call) => readSpace(parts, call)),
    answer(operation.updateSpace, (call) => updateTenantSpace(parts, call)),
    answer(operation.deleteSpace, (call) => removeSpace(parts, call)),
    answer(operation.listSpaceMembers, (call) => listMembers(parts, call)),
    answer(operation.putSpaceMember, (call) => addMember(parts, call)),
    answer(operation.deleteSpaceMember, (call) => takeMemberOut(parts, call)),
    answer(operation.putProviderKey, (call) => storeProviderKey(parts, call)),
    answer(operation.listProviderKeys, (call) => listTenantProviderKeys(parts, call)),
    answer(operation.getProviderKey, (call) => readProviderKey(parts, call)),
    answer(operation.deleteProviderKey, (call) => removeProviderKey(parts, call)),
  ];
}
