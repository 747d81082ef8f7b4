import type { Tx } from '@cairn/postgres';

export interface TenantRow {
  tenant_id: string;
  twin_of: string | null;
  name: string;
  livemode: boolean;
  plan: string;
  status: string;
  revision: number;
}

export interface WorkspaceRow {
  tenant_id: string;
  workspace_id: string;
  name: string;
  description: string;
  slug: string;
  is_default: boolean;
  primary_memory_id: string;
  created_at: Date;
  updated_at: Date;
}

export interface MemoryRow {
  tenant_id: string;
  memory_id: string;
  workspace_id: string;
  display_name: string;
  type: 'shared' | 'dedicated';
  status: 'provisioning' | 'active' | 'suspended' | 'deleting' | 'failed';
  memory_serial: number;
  subdomain: string;
  root_vault_id: string;
  dlp_policy: 'off' | 'secrets' | 'pii';
  created_at: Date;
}

/** Reads the tenant and holds its row, so that counting against a limit and inserting are one step. */
export async function lockTenant(tx: Tx): Promise<TenantRow | null> {
  const rows = await tx.query<TenantRow>('SELECT * FROM tenants WHERE tenant_id = current_tenant() FOR UPDATE');
  return rows[0] ?? null;
}

export async function insertTenant(tx: Tx, row: Omit<TenantRow, 'revision' | 'status'>): Promise<TenantRow> {
  const rows = await tx.query<TenantRow>(
    'INSERT INTO tenants (tenant_id, twin_of, name, livemode, plan) VALUES ($1, $2, $3, $4, $5) RETURNING *',
    [row.tenant_id, row.twin_of, row.name, row.livemode, row.plan],
  );
  return rows[0]!;
}

export async function countRows(tx: Tx, table: 'workspaces' | 'memories', tenantId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE tenant_id = $1`, [
    tenantId,
  ]);
  return rows[0]!.count;
}

export async function insertWorkspace(
  tx: Tx,
  row: Omit<WorkspaceRow, 'created_at' | 'updated_at'>,
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
    'SELECT slug FROM workspaces WHERE tenant_id = $1 AND starts_with(slug, $2)',
    [tenantId, slug],
  );
  return new Set(rows.map((row) => row.slug));
}

export async function listWorkspaceRows(
  tx: Tx,
  page: { after: string; fetch: number | null },
): Promise<WorkspaceRow[]> {
  return tx.query<WorkspaceRow>('SELECT * FROM workspaces WHERE workspace_id > $1 ORDER BY workspace_id LIMIT $2', [
    page.after,
    page.fetch,
  ]);
}

export async function findWorkspace(tx: Tx, workspaceId: string): Promise<WorkspaceRow | null> {
  const rows = await tx.query<WorkspaceRow>('SELECT * FROM workspaces WHERE workspace_id = $1', [workspaceId]);
  return rows[0] ?? null;
}

export async function findDefaultWorkspace(tx: Tx): Promise<WorkspaceRow | null> {
  const rows = await tx.query<WorkspaceRow>('SELECT * FROM workspaces WHERE is_default');
  return rows[0] ?? null;
}

/** Takes the tenant's next serial number; serials count 1, 2, 3 … and are never given twice. */
export async function takeMemorySerial(tx: Tx, tenantId: string): Promise<number> {
  const rows = await tx.query<{ serial: number }>(
    'UPDATE tenants SET next_memory_serial = next_memory_serial + 1 WHERE tenant_id = $1 RETURNING next_memory_serial - 1 AS serial',
    [tenantId],
  );
  return rows[0]!.serial;
}

/** True when the label was free; it is taken for ever then. */
export async function claimSubdomain(
  tx: Tx,
  claim: { subdomain: string; tenantId: string; memoryId: string },
): Promise<boolean> {
  const rows = await tx.execute(
    'INSERT INTO subdomains (subdomain, tenant_id, memory_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [claim.subdomain, claim.tenantId, claim.memoryId],
  );
  return rows === 1;
}

export async function insertMemory(tx: Tx, row: Omit<MemoryRow, 'created_at'>): Promise<MemoryRow> {
  const rows = await tx.query<MemoryRow>(
    `INSERT INTO memories (tenant_id, memory_id, workspace_id, display_name, type, status, memory_serial, subdomain, root_vault_id, dlp_policy)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING *`,
    [
      row.tenant_id,
      row.memory_id,
      row.workspace_id,
      row.display_name,
      row.type,
      row.status,
      row.memory_serial,
      row.subdomain,
      row.root_vault_id,
      row.dlp_policy,
    ],
  );
  return rows[0]!;
}

export async function listMemoryRows(
  tx: Tx,
  filter: { workspaceId: string | null; after: string; fetch: number | null },
): Promise<MemoryRow[]> {
  return tx.query<MemoryRow>(
    'SELECT * FROM memories WHERE memory_id > $1 AND ($2::text IS NULL OR workspace_id = $2) ORDER BY memory_id LIMIT $3',
    [filter.after, filter.workspaceId, filter.fetch],
  );
}

export async function findMemory(tx: Tx, memoryId: string): Promise<MemoryRow | null> {
  const rows = await tx.query<MemoryRow>({
    name: 'memory_by_id',
    text: 'SELECT * FROM memories WHERE memory_id = $1',
    values: [memoryId],
  });
  return rows[0] ?? null;
}

/** The memory behind a hostname's label, over all tenants: needs the worker role. */
export async function findMemoryBySubdomain(tx: Tx, subdomain: string): Promise<MemoryRow | null> {
  const rows = await tx.query<MemoryRow>(
    "SELECT memories.* FROM subdomains JOIN memories USING (memory_id) WHERE subdomains.subdomain = $1 AND status <> 'deleting'",
    [subdomain],
  );
  return rows[0] ?? null;
}
