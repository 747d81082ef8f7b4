import type { App, AppAction, CredentialKind, Scope } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';

/** A key as it is stored; the plaintext is not among it. */
export interface KeyRow {
  tenant_id: string;
  owner_tenant_id: string;
  key_id: string;
  name: string;
  prefix: string;
  sha256: Buffer;
  kind: CredentialKind;
  livemode: boolean;
  scopes: Scope[];
  app_permissions: Partial<Record<App, AppAction[]>>;
  ip_allowlist: string[];
  memory_id: string | null;
  space_id: string | null;
  requests_per_second: number | null;
  burst: number | null;
  parent_key_id: string | null;
  created_at: Date;
  last_used_at: Date | null;
  usage_count: number;
  expires_at: Date | null;
  revoked_at: Date | null;
}

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
}

export type NewKeyRow = Omit<KeyRow, 'created_at' | 'last_used_at' | 'usage_count' | 'revoked_at'>;

export async function insertKey(tx: Tx, row: NewKeyRow): Promise<KeyRow> {
  const rows = await tx.query<KeyRow>(
    `INSERT INTO api_keys (tenant_id, owner_tenant_id, key_id, name, prefix, sha256, kind, livemode, scopes, app_permissions,
                           ip_allowlist, memory_id, space_id, requests_per_second, burst, parent_key_id, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
     RETURNING *`,
    [
      row.tenant_id,
      row.owner_tenant_id,
      row.key_id,
      row.name,
      row.prefix,
      row.sha256,
      row.kind,
      row.livemode,
      row.scopes,
      JSON.stringify(row.app_permissions),
      row.ip_allowlist,
      row.memory_id,
      row.space_id,
      row.requests_per_second,
      row.burst,
      row.parent_key_id,
      row.expires_at,
    ],
  );
  return rows[0]!;
}

export async function findKey(tx: Tx, keyId: string): Promise<KeyRow | null> {
  const rows = await tx.query<KeyRow>('SELECT * FROM api_keys WHERE key_id = $1', [keyId]);
  return rows[0] ?? null;
}

/** Keys in the order of their making, after `afterKeyId`. */
export async function listKeys(tx: Tx, page: { afterKeyId: string; limit: number | null }): Promise<KeyRow[]> {
  return tx.query<KeyRow>('SELECT * FROM api_keys WHERE key_id > $1 ORDER BY key_id LIMIT $2', [
    page.afterKeyId,
    page.limit,
  ]);
}

/** The key with this digest and its tenant, over all tenants: needs the worker role. */
export async function findKeyByDigest(tx: Tx, sha256: Uint8Array): Promise<{ key: KeyRow; tenant: TenantRow } | null> {
  const keys = await tx.query<KeyRow>({
    name: 'key_by_digest',
    text: 'SELECT * FROM api_keys WHERE sha256 = $1',
    values: [Buffer.from(sha256)],
  });
  const key = keys[0];
  if (key === undefined) return null;
  const tenant = await findTenant(tx, key.tenant_id);
  return tenant === null ? null : { key, tenant };
}

export async function findTenant(tx: Tx, tenantId: string): Promise<TenantRow | null> {
  const rows = await tx.query<TenantRow>({
    name: 'tenant_by_id',
    text: 'SELECT * FROM tenants WHERE tenant_id = $1',
    values: [tenantId],
  });
  return rows[0] ?? null;
}

/** The non-production twin of a live tenant. */
export async function findTwin(tx: Tx, tenantId: string): Promise<TenantRow | null> {
  const rows = await tx.query<TenantRow>('SELECT * FROM tenants WHERE twin_of = $1', [tenantId]);
  return rows[0] ?? null;
}

/**
 * Takes what tenancy says of a tenant unless something newer is known already. One that is being deleted and is not
 * known was erased here before, and a late word does not bring it back.
 */
export async function upsertTenant(tx: Tx, tenant: TenantRow): Promise<void> {
  await tx.execute(
    `INSERT INTO tenants (tenant_id, twin_of, livemode, plan, status, revision, requests_per_second, burst)
     SELECT $1, $2::text, $3::boolean, $4, $5, $6::bigint, $7::double precision, $8::int
      WHERE $5 <> 'deleting' OR EXISTS (SELECT FROM tenants known WHERE known.tenant_id = $1)
     ON CONFLICT (tenant_id) DO UPDATE
       SET plan = excluded.plan, status = excluded.status, revision = excluded.revision,
           requests_per_second = excluded.requests_per_second, burst = excluded.burst
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
    ],
  );
}
