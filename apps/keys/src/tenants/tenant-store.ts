import type { Tx } from '@cairn/postgres';

export const TENANT_STATUSES = ['active', 'suspended', 'deleting'] as const;
export type TenantStatus = (typeof TENANT_STATUSES)[number];

export interface TenantRow {
  tenant_id: string;
  twin_of: string | null;
  livemode: boolean;
  plan: string;
  status: TenantStatus;
  revision: number;
  requests_per_second: number;
  burst: number;
  /** null: unlimited. */
  monthly_requests: number | null;
  /** Credentials that may be valid at the same time; null: tenancy has not said. */
  api_keys_max: number | null;
  oauth_clients_max: number | null;
  suggested_plan: string | null;
  upgrade_url: string | null;
}

/** Named, because a prepared statement breaks when a migration adds a column to a `*`. */
const TENANT_COLUMNS = `tenant_id, twin_of, livemode, plan, status, revision, requests_per_second, burst,
  monthly_requests, api_keys_max, oauth_clients_max, suggested_plan, upgrade_url`;

export async function findTenant(tx: Tx, tenantId: string): Promise<TenantRow | null> {
  const rows = await tx.query<TenantRow>({
    name: 'tenant_by_id',
    text: `SELECT ${TENANT_COLUMNS} FROM tenants WHERE tenant_id = $1`,
    values: [tenantId],
  });
  return rows[0] ?? null;
}

/** Several tenants by their ids; of any owner with the worker role. */
export async function findTenants(tx: Tx, tenantIds: readonly string[]): Promise<Map<string, TenantRow>> {
  if (tenantIds.length === 0) return new Map();
  const rows = await tx.query<TenantRow>({
    name: 'tenants_by_id',
    text: `SELECT ${TENANT_COLUMNS} FROM tenants WHERE tenant_id = ANY($1)`,
    values: [[...new Set(tenantIds)]],
  });
  return new Map(rows.map((row) => [row.tenant_id, row]));
}

/** The test tenant of a live tenant. */
export async function findTestTenant(tx: Tx, tenantId: string): Promise<TenantRow | null> {
  const rows = await tx.query<TenantRow>('SELECT * FROM tenants WHERE twin_of = $1', [tenantId]);
  return rows[0] ?? null;
}

/**
 * A live tenant, or its test tenant, which is not erased before the transaction ends. Needs the worker role.
 */
export async function lockTenantForKey(tx: Tx, liveTenantId: string, isTest: boolean): Promise<TenantRow | null> {
  const rows = await tx.query<TenantRow>(
    `SELECT ${TENANT_COLUMNS} FROM tenants
      WHERE CASE WHEN $2 THEN twin_of = $1 ELSE tenant_id = $1 AND twin_of IS NULL END FOR SHARE`,
    [liveTenantId, isTest],
  );
  return rows[0] ?? null;
}

/**
 * Stores what tenancy says about a tenant unless a newer revision is stored already. One that is being deleted and is
 * unknown here was erased before, and a late message does not bring it back.
 */
export async function upsertTenant(tx: Tx, tenant: TenantRow): Promise<void> {
  await tx.execute(
    `INSERT INTO tenants (tenant_id, twin_of, livemode, plan, status, revision, requests_per_second, burst,
                          monthly_requests, api_keys_max, oauth_clients_max, suggested_plan, upgrade_url)
     SELECT $1, $2::text, $3::boolean, $4, $5, $6::bigint, $7::double precision, $8::int, $9::bigint, $10::int, $11::int,
            $12::text, $13::text
      WHERE $5 <> 'deleting' OR EXISTS (SELECT FROM tenants known WHERE known.tenant_id = $1)
     ON CONFLICT (tenant_id) DO UPDATE
       SET plan = excluded.plan, status = excluded.status, revision = excluded.revision,
           requests_per_second = excluded.requests_per_second, burst = excluded.burst,
           monthly_requests = excluded.monthly_requests, api_keys_max = excluded.api_keys_max,
           oauth_clients_max = excluded.oauth_clients_max, suggested_plan = excluded.suggested_plan,
           upgrade_url = excluded.upgrade_url
       WHERE tenants.revision < excluded.revision`,
    [
      tenant.tenant_id,
      tenant.twin_of,
      tenant.livemode,
      tenant.plan,
      tenant.status,
      tenant.revision,
      tenant.requests_per_second,
      tenant.burst,
      tenant.monthly_requests,
      tenant.api_keys_max,
      tenant.oauth_clients_max,
      tenant.suggested_plan,
      tenant.upgrade_url,
    ],
  );
}
