import type { Tx } from '@cairn/postgres';

export interface TenantRow {
  tenant_id: string;
  /** The live tenant whose test tenant this is; null for a live tenant. */
  twin_of: string | null;
  name: string;
  livemode: boolean;
  plan: string;
  status: 'active' | 'suspended' | 'deleting';
  revision: number;
  created_at: Date;
}

/** Reads the tenant and locks its row, so that counting against a limit and inserting are one step. */
export async function lockTenant(tx: Tx): Promise<TenantRow | null> {
  const rows = await tx.query<TenantRow>('SELECT * FROM tenants WHERE tenant_id = current_tenant() FOR UPDATE');
  return rows[0] ?? null;
}

export async function findTenant(tx: Tx): Promise<TenantRow | null> {
  const rows = await tx.query<TenantRow>({
    name: 'tenant_own',
    text: 'SELECT * FROM tenants WHERE tenant_id = current_tenant()',
  });
  return rows[0] ?? null;
}

export async function insertTenant(
  tx: Tx,
  row: Omit<TenantRow, 'revision' | 'status' | 'created_at'>,
): Promise<TenantRow> {
  const rows = await tx.query<TenantRow>(
    'INSERT INTO tenants (tenant_id, twin_of, name, livemode, plan) VALUES ($1, $2, $3, $4, $5) RETURNING *',
    [row.tenant_id, row.twin_of, row.name, row.livemode, row.plan],
  );
  return rows[0]!;
}

/** A live tenant and its test tenant, the live one first, locked until the transaction ends. Needs the worker role. */
export async function lockTenantWithTest(tx: Tx, tenantId: string): Promise<TenantRow[]> {
  return tx.query<TenantRow>(
    `SELECT * FROM tenants WHERE (tenant_id = $1 AND twin_of IS NULL) OR twin_of = $1
      ORDER BY twin_of NULLS FIRST FOR UPDATE`,
    [tenantId],
  );
}

/** Updates what may change of a tenant and increments its revision. Needs the worker role. */
export async function updateTenant(
  tx: Tx,
  tenantId: string,
  change: { status: TenantRow['status']; plan: string },
): Promise<TenantRow> {
  const rows = await tx.query<TenantRow>(
    'UPDATE tenants SET status = $2, plan = $3, revision = revision + 1 WHERE tenant_id = $1 RETURNING *',
    [tenantId, change.status, change.plan],
  );
  return rows[0]!;
}

/** Sets the status of a restored tenant, and its revision to one from after the restored state. Needs the worker role. */
export async function restoreTenantStatus(
  tx: Tx,
  tenantId: string,
  change: Pick<TenantRow, 'status' | 'revision'>,
): Promise<TenantRow> {
  const rows = await tx.query<TenantRow>(
    'UPDATE tenants SET status = $2, revision = $3 WHERE tenant_id = $1 RETURNING *',
    [tenantId, change.status, change.revision],
  );
  return rows[0]!;
}

export interface TenantCounts extends TenantRow {
  workspaces: number;
  memories: number;
}

/** Live tenants with the number of their workspaces and memories, oldest first. Needs the worker role. */
export async function listTenantCounts(tx: Tx, tenantId: string | null): Promise<TenantCounts[]> {
  return tx.query<TenantCounts>(
    `SELECT tenants.*,
            (SELECT count(*) FROM workspaces WHERE workspaces.tenant_id = tenants.tenant_id AND deleted_at IS NULL) AS workspaces,
            (SELECT count(*) FROM memories WHERE memories.tenant_id = tenants.tenant_id AND status <> 'deleting') AS memories
       FROM tenants WHERE twin_of IS NULL AND ($1::text IS NULL OR tenant_id = $1) ORDER BY tenant_id`,
    [tenantId],
  );
}
