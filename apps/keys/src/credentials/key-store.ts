import type { App, AppAction, KeyType, Scope } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import { findTenant, findTenants, type TenantRow } from '../tenants/tenant-store.ts';

/** A key, or a member, as it is stored, without its plaintext. */
export interface KeyRow {
  tenant_id: string;
  owner_tenant_id: string;
  key_id: string;
  name: string;
  prefix: string;
  sha256: Buffer;
  /** A member's is a row that nobody has a secret for. */
  kind: KeyType | 'member';
  livemode: boolean;
  scopes: Scope[];
  app_permissions: Partial<Record<App, AppAction[]>>;
  ip_allowlist: string[];
  memory_id: string | null;
  space_id: string | null;
  requests_per_second: number | null;
  burst: number | null;
  parent_key_id: string | null;
  /** The key it replaced. */
  rotated_from: string | null;
  /** The key that requested the replacement and received its plaintext. */
  rotated_by: string | null;
  created_at: Date;
  last_used_at: Date | null;
  usage_count: number;
  expires_at: Date | null;
  /** The latest `expires_at` it may ever be given: it is ephemeral, or was minted below one that is. */
  expires_by: Date | null;
  /** When it is due to be revoked, because it was rotated. */
  revokes_at: Date | null;
  revoked_at: Date | null;
  /** Since when its lineage is closed: it is being revoked with its descendants, and creates no credentials. */
  closing_since: Date | null;
}

/** Named, because a prepared statement breaks when a migration adds a column to a `*`. */
const KEY_COLUMNS = `tenant_id, owner_tenant_id, key_id, name, prefix, sha256, kind, livemode, scopes, app_permissions,
  ip_allowlist, memory_id, space_id, requests_per_second, burst, parent_key_id, rotated_from, rotated_by, created_at,
  last_used_at, usage_count, expires_at, expires_by, revokes_at, revoked_at, closing_since`;

type NewKeyRow = Omit<
  KeyRow,
  'created_at' | 'last_used_at' | 'usage_count' | 'revokes_at' | 'revoked_at' | 'closing_since'
>;

export async function insertKey<Kind extends KeyRow['kind']>(
  tx: Tx,
  row: NewKeyRow & { kind: Kind },
): Promise<KeyRow & { kind: Kind }> {
  const rows = await tx.query<KeyRow & { kind: Kind }>(
    `INSERT INTO api_keys (tenant_id, owner_tenant_id, key_id, name, prefix, sha256, kind, livemode, scopes, app_permissions,
                           ip_allowlist, memory_id, space_id, requests_per_second, burst, parent_key_id, expires_at, expires_by,
                           rotated_from, rotated_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
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
      row.expires_by,
      row.rotated_from,
      row.rotated_by,
    ],
  );
  return rows[0]!;
}

export async function findKey(tx: Tx, keyId: string): Promise<KeyRow | null> {
  const rows = await tx.query<KeyRow>('SELECT * FROM api_keys WHERE key_id = $1', [keyId]);
  return rows[0] ?? null;
}

/** A row of an API key, of which members have none. */
export type ApiKeyRow = KeyRow & { kind: KeyType };

/** The API key with this id: the rows of members are not seen, changed or replaced as keys. */
export async function findApiKey(tx: Tx, keyId: string): Promise<ApiKeyRow | null> {
  const row = await findKey(tx, keyId);
  return row !== null && isApiKey(row) ? row : null;
}

export function isApiKey(row: KeyRow): row is ApiKeyRow {
  return row.kind !== 'member';
}

/** The rows with these ids, by id. */
export async function listKeyRows(tx: Tx, keyIds: readonly string[]): Promise<Map<string, KeyRow>> {
  if (keyIds.length === 0) return new Map();
  const rows = await tx.query<KeyRow>('SELECT * FROM api_keys WHERE key_id = ANY($1)', [[...new Set(keyIds)]]);
  return new Map(rows.map((row) => [row.key_id, row]));
}

/** Locks the keys for this transaction, always in the same order, so that concurrent transactions do not deadlock. */
export async function lockKeys(tx: Tx, keyIds: readonly string[]): Promise<Map<string, KeyRow>> {
  const rows = await tx.query<KeyRow>('SELECT * FROM api_keys WHERE key_id = ANY($1) ORDER BY key_id FOR UPDATE', [
    keyIds,
  ]);
  return new Map(rows.map((row) => [row.key_id, row]));
}

/** The key and all that were minted below it, at any depth. */
export async function lineageOf(tx: Tx, keyId: string): Promise<string[]> {
  const rows = await tx.query<{ key_id: string }>(
    `WITH RECURSIVE lineage AS (
       SELECT key_id FROM api_keys WHERE key_id = $1
       UNION
       SELECT child.key_id FROM api_keys child JOIN lineage ON child.parent_key_id = lineage.key_id
     ) SELECT key_id FROM lineage`,
    [keyId],
  );
  return rows.map((row) => row.key_id);
}

interface KeyFilter {
  type?: KeyType | undefined;
  memory_id?: string | undefined;
  space_id?: string | undefined;
  parent_key_id?: string | undefined;
  revoked?: boolean | undefined;
}

/** Keys in the order of their creation, after `afterKeyId`, as many as `limit` of those that pass the filter. */
export async function listKeys(
  tx: Tx,
  filter: KeyFilter,
  page: { afterKeyId: string; limit: number | null },
): Promise<ApiKeyRow[]> {
  return tx.query<ApiKeyRow>(
    `SELECT * FROM api_keys
      WHERE key_id > $1 AND kind <> 'member'
        AND ($3::text IS NULL OR kind = $3)
        AND ($4::text IS NULL OR memory_id = $4)
        AND ($5::text IS NULL OR space_id = $5)
        AND ($6::boolean IS NULL OR (revoked_at IS NOT NULL) = $6)
        AND ($7::text IS NULL OR parent_key_id = $7)
      ORDER BY key_id LIMIT $2`,
    [
      page.afterKeyId,
      page.limit,
      filter.type,
      filter.memory_id,
      filter.space_id,
      filter.revoked,
      filter.parent_key_id,
    ].map((value) => value ?? null),
  );
}

interface KeyWithTenant {
  key: KeyRow;
  tenant: TenantRow;
}

/** The keys with these digests and their tenants, over all tenants: needs the worker role. */
export async function findKeysByDigests(tx: Tx, digests: readonly Uint8Array[]): Promise<KeyWithTenant[]> {
  const keys = await tx.query<KeyRow>({
    name: 'keys_by_digest',
    text: `SELECT ${KEY_COLUMNS} FROM api_keys WHERE sha256 = ANY($1::bytea[])`,
    values: [digests.map((sha256) => Buffer.from(sha256))],
  });
  const tenants = await findTenants(
    tx,
    keys.map((key) => key.tenant_id),
  );
  return keys.flatMap((key) => {
    const tenant = tenants.get(key.tenant_id);
    return tenant === undefined ? [] : [{ key, tenant }];
  });
}

/** The key with this id and its tenant, over all tenants: needs the worker role. */
export async function findKeyWithTenant(tx: Tx, keyId: string): Promise<KeyWithTenant | null> {
  const key = await findKey(tx, keyId);
  if (key === null) return null;
  const tenant = await findTenant(tx, key.tenant_id);
  return tenant === null ? null : { key, tenant };
}
