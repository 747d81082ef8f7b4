import type { getWorkspace, ResponseOf } from '@cairn/contracts';
import type { WorkspaceRow } from '../stores/workspace-store.ts';

/** A workspace as the API shows it. */
export function presentWorkspace(row: WorkspaceRow): ResponseOf<typeof getWorkspace>['workspace'] {
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
