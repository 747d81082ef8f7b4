import type { AnswerOf, createMemory, getWorkspace } from '@cairn/contracts';
import type { MemoryRow } from './memories/memory-store.ts';
import type { WorkspaceRow } from './workspaces/workspace-store.ts';

/** A workspace as the API shows it. */
export function presentWorkspace(row: WorkspaceRow): AnswerOf<typeof getWorkspace>['workspace'] {
  return {
    workspace_id: row.workspace_id,
    tenant_id: row.tenant_id,
    name: row.name,
    description: row.description,
    slug: row.slug,
    is_default: row.is_default,
    primary_memory_id: row.primary_memory_id!,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** A memory as the API shows it. */
export function presentMemory(row: MemoryRow): AnswerOf<typeof createMemory> {
  return {
    memory_id: row.memory_id,
    workspace_id: row.workspace_id,
    display_name: row.display_name,
    type: row.type,
    status: row.status,
    status_reason: row.status_reason,
    memory_serial: row.memory_serial,
    subdomain: row.subdomain,
    dlp_policy: row.dlp_policy,
    created_at: row.created_at.toISOString(),
  };
}
