import type { AnswerOf, createMemory, getWorkspace } from '@cairn/contracts';
import type { MemoryRow, WorkspaceRow } from './tenancy-store.ts';

/** A workspace as the API shows it. */
export function presentWorkspace(row: WorkspaceRow): AnswerOf<typeof getWorkspace>['workspace'] {
  return { ...row, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() };
}

/** A memory as the API shows it. */
export function presentMemory(row: MemoryRow): AnswerOf<typeof createMemory> {
  return {
    memory_id: row.memory_id,
    workspace_id: row.workspace_id,
    display_name: row.display_name,
    type: row.type,
    status: row.status,
    memory_serial: row.memory_serial,
    subdomain: row.subdomain,
    dlp_policy: row.dlp_policy,
    created_at: row.created_at.toISOString(),
  };
}
