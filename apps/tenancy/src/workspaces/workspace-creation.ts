import { encodeEvent, initialMemorySettings, newId } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import { createSharedMemory } from '../memories/memory-creation.ts';
import { freeSlug, slugOf } from '../slug.ts';
import { insertWorkspace, slugsLike, type WorkspaceRow } from '../stores/workspace-store.ts';

interface NewWorkspace {
  tenantId: string;
  livemode: boolean;
  name: string;
  description: string;
  slug?: string | undefined;
  isDefault: boolean;
}

/**
 * Inserts the workspace and its primary memory and announces both. The caller has checked the plan's limits and has
 * locked the tenant's row.
 */
export async function createWorkspaceWithMemory(tx: Tx, workspace: NewWorkspace): Promise<WorkspaceRow> {
  const { tenantId, livemode, name } = workspace;
  const workspaceId = newId('workspace');
  const memoryId = newId('memory');
  const row = await insertWorkspace(tx, {
    tenant_id: tenantId,
    workspace_id: workspaceId,
    name,
    description: workspace.description,
    slug: await resolveSlug(tx, workspace),
    is_default: workspace.isDefault,
    primary_memory_id: memoryId,
  });
  await createSharedMemory(tx, {
    tenantId,
    livemode,
    memoryId,
    workspaceId,
    displayName: name,
    settings: initialMemorySettings(),
  });
  await appendToOutbox(
    tx,
    encodeEvent('workspaceCreated', { tenantId, livemode, workspaceId }, { name, primaryMemoryId: memoryId }),
  );
  return row;
}

/** The requested slug, which must be free, or a free one that is derived from the name. */
async function resolveSlug(tx: Tx, workspace: NewWorkspace): Promise<string> {
  const slug = workspace.slug ?? slugOf(workspace.name, 'workspace');
  const taken = await slugsLike(tx, workspace.tenantId, slug);
  if (workspace.slug !== undefined && taken.has(slug)) throw new CairnError('conflict', `The slug ${slug} is taken.`);
  return freeSlug(slug, taken);
}
