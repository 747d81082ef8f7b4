import { createMemory, createWorkspace, getMemory, getWorkspace, listMemories, listWorkspaces } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import { answer, type BoundOperation } from '@cairn/service-kit';
import { createTenantMemory } from './create-memory.ts';
import { createTenantWorkspace } from './create-workspace.ts';
import type { PlanBook } from './plans.ts';
import { listTenantMemories, readMemory } from './read-memories.ts';
import { listTenantWorkspaces, readWorkspace } from './read-workspaces.ts';

/** The operations this service answers. */
export function operations(parts: { database: Database; plans: PlanBook }): BoundOperation[] {
  return [
    answer(createWorkspace, (call) => createTenantWorkspace(parts, call)),
    answer(listWorkspaces, (call) => listTenantWorkspaces(parts, call)),
    answer(getWorkspace, (call) => readWorkspace(parts, call)),
    answer(createMemory, (call) => createTenantMemory(parts, call)),
    answer(listMemories, (call) => listTenantMemories(parts, call)),
    answer(getMemory, (call) => readMemory(parts, call)),
  ];
}
