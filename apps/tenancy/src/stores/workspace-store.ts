import { brokenConstraint, type Tx } from '@cairn/postgres';
import { CairnError } from '@cairn/errors';

export interface WorkspaceRow {
  tenant_id: string;
  workspace_id: string;
  name: string;
  description: string;
  slug: string;
  is_default: boolean;
  /** Null only while a deleted workspace is being erased. */
  primary_memory_id: string | null;
  deleted_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export async function insertWorkspace(
  tx: Tx,
  row: Omit<WorkspaceRow, 'created_at' | 'updated_at' | 'deleted_at'>,
): Promise<WorkspaceRow> {
  const rows = await tx.query<WorkspaceRow>(
    `INSERT INTO workspaces (tenant_id, workspace_id, name, description, slug, is_default, primary_memory_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING *`,
    [row.tenant_id, row.workspace_id, row.name, row.description, row.slug, row.is_default, row.primary_memory_id],
  );
  return rows[0]!;
}

export async function slugsLike(tx: Tx, tenantId: string, slug: string): Promise<Set<string>> {
  const rows = await tx.query<{ slug: string }>(
    'SELECT slug FROM workspaces WHERE tenant_id = $1 AND deleted_at IS NULL AND starts_with(slug, $2)',
    [tenantId, slug],
  );
  return new Set(rows.map((row) => row.slug));
}

/** Workspaces that a plan counts: those that are not deleted. */
export async function countWorkspaces(tx: Tx, tenantId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    'SELECT count(*) AS count FROM workspaces WHERE tenant_id = $1 AND deleted_at IS NULL',
    [tenantId],
  );
  return rows[0]!.count;
}

export async function listWorkspaceRows(
  tx: Tx,
  page: { after: string; fetch: number | null },
): Promise<WorkspaceRow[]> {
  return tx.query<WorkspaceRow>(
    'SELECT * FROM workspaces WHERE workspace_id > $1 AND deleted_at IS NULL ORDER BY workspace_id LIMIT $2',
    [page.after, page.fetch],
  );
}

export async function findWorkspace(tx: Tx, workspaceId: string): Promise<WorkspaceRow | null> {
  const rows = await tx.query<WorkspaceRow>('SELECT * FROM workspaces WHERE workspace_id = $1 AND deleted_at IS NULL', [
    workspaceId,
  ]);
  return rows[0] ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockWorkspace(tx: Tx, workspaceId: string): Promise<WorkspaceRow | null> {
  const rows = await tx.query<WorkspaceRow>(
    'SELECT * FROM workspaces WHERE workspace_id = $1 AND deleted_at IS NULL FOR UPDATE',
    [workspaceId],
  );
  return rows[0] ?? null;
}

export async function findDefaultWorkspace(tx: Tx): Promise<WorkspaceRow | null> {
  const rows = await tx.query<WorkspaceRow>('SELECT * FROM workspaces WHERE is_default AND deleted_at IS NULL');
  return rows[0] ?? null;
}

/** Writes the fields that may change; a slug that another workspace has is a `conflict`. */
export async function changeWorkspace(
  tx: Tx,
  workspaceId: string,
  change: Pick<WorkspaceRow, 'name' | 'description' | 'slug'>,
): Promise<WorkspaceRow> {
  try {
    const rows = await tx.query<WorkspaceRow>(
      `UPDATE workspaces SET name = $2, description = $3, slug = $4, updated_at = now()
        WHERE workspace_id = $1 RETURNING *`,
      [workspaceId, change.name, change.description, change.slug],
    );
    return rows[0]!;
  } catch (error) {
    if (brokenConstraint(error) === 'workspaces_by_slug')
      throw new CairnError('conflict', `The slug ${change.slug} is taken.`);
    throw error;
  }
}

export async function markWorkspaceDeleted(tx: Tx, workspaceId: string): Promise<void> {
  await tx.execute('UPDATE workspaces SET deleted_at = now() WHERE workspace_id = $1', [workspaceId]);
}
