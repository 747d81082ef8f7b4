import { CairnError, notFound } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';

export interface TenantRow {
  tenant_id: string;
  livemode: boolean;
  plan: string;
  status: string;
  revision: number;
  /** Null when no event carried it yet. */
  monthly_micro_credits: number | null;
}

export async function findTenant(tx: Tx, tenantId: string): Promise<TenantRow | null> {
  const rows = await tx.query<TenantRow>({
    name: 'usage_tenant',
    text: 'SELECT * FROM tenants WHERE tenant_id = $1',
    values: [tenantId],
  });
  return rows[0] ?? null;
}

/** The tenant, if it may still be charged; throws otherwise. */
export async function requireOpenTenant(tx: Tx, tenantId: string): Promise<TenantRow> {
  const tenant = await findTenant(tx, tenantId);
  if (tenant === null || (await isClosed(tx, tenantId))) throw notFound('The tenant');
  if (tenant.status === 'deleting') throw new CairnError('conflict', 'The tenant is being deleted.');
  return tenant;
}

/** True from the moment its erasure began; its own row is deleted last. */
async function isClosed(tx: Tx, tenantId: string): Promise<boolean> {
  const closed = await tx.query({
    name: 'usage_tenant_closed',
    text: 'SELECT FROM closed_tenants WHERE tenant_id = $1',
    values: [tenantId],
  });
  return closed.length > 0;
}

/**
 * Stores the state of a tenant unless a newer revision is stored. A closed tenant is skipped: it was erased, and a late
 * event must not bring it back.
 */
export async function upsertTenant(tx: Tx, tenant: TenantRow): Promise<void> {
  await tx.execute(
    `INSERT INTO tenants (tenant_id, livemode, plan, status, revision, monthly_micro_credits)
     SELECT $1, $2::boolean, $3, $4, $5::bigint, $6::bigint
      WHERE NOT EXISTS (SELECT FROM closed_tenants closed WHERE closed.tenant_id = $1)
     ON CONFLICT (tenant_id) DO UPDATE
       SET plan = excluded.plan, status = excluded.status, revision = excluded.revision,
           monthly_micro_credits = coalesce(excluded.monthly_micro_credits, tenants.monthly_micro_credits)
       WHERE tenants.revision < excluded.revision
          OR (tenants.revision = excluded.revision AND tenants.monthly_micro_credits IS NULL)`,
    [tenant.tenant_id, tenant.livemode, tenant.plan, tenant.status, tenant.revision, tenant.monthly_micro_credits],
  );
}
