import type { Scope } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import { findTenants, type TenantRow } from '../tenants/tenant-store.ts';
import { type KeyRow, listKeyRows } from './key-store.ts';
import { lockCount } from './plan-limits.ts';

/** What a key or a member has granted to a client. */
export interface AppRow {
  tenant_id: string;
  app_id: string;
  key_id: string;
  client_id: string;
  client_name: string;
  scopes: Scope[];
  memory_id: string;
  space_id: string;
  /** The address of the MCP endpoint. */
  resource: string;
  created_at: Date;
  last_used_at: Date | null;
  /** Moved by each refresh, up to `ends_at`. */
  expires_at: Date;
  ends_at: Date;
  revoked_at: Date | null;
}

interface CodeRow {
  tenant_id: string;
  sha256: Buffer;
  app_id: string;
  redirect_uri: string;
  code_challenge: string;
  expires_at: Date;
  used_at: Date | null;
}

interface AppTokenRow {
  tenant_id: string;
  sha256: Buffer;
  app_id: string;
  kind: 'access' | 'refresh';
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
}

const APP_COLUMNS = `tenant_id, app_id, key_id, client_id, client_name, scopes, memory_id, space_id, resource, created_at,
  last_used_at, expires_at, ends_at, revoked_at`;
const CODE_COLUMNS = 'tenant_id, sha256, app_id, redirect_uri, code_challenge, expires_at, used_at';
const TOKEN_COLUMNS = 'tenant_id, sha256, app_id, kind, created_at, expires_at, used_at';
/** So that a person can look up what was connected. */
const ENDED_RETENTION_DAYS = 30;

export async function insertApp(tx: Tx, row: Omit<AppRow, 'last_used_at' | 'revoked_at'>): Promise<void> {
  await tx.execute(
    `INSERT INTO connected_apps (tenant_id, app_id, key_id, client_id, client_name, scopes, memory_id, space_id,
                                 resource, created_at, expires_at, ends_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      row.tenant_id,
      row.app_id,
      row.key_id,
      row.client_id,
      row.client_name,
      row.scopes,
      row.memory_id,
      row.space_id,
      row.resource,
      row.created_at,
      row.expires_at,
      row.ends_at,
    ],
  );
}

/** Apps of a key or member that have not ended. Concurrent transactions that connect some are serialised here. */
export async function countOpenApps(tx: Tx, keyId: string, now: Date): Promise<number> {
  await lockCount(tx, 'connected_apps', keyId);
  const [row] = await tx.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM connected_apps
      WHERE key_id = $1 AND revoked_at IS NULL AND expires_at > $2`,
    [keyId, now],
  );
  return row!.count;
}

export async function findApp(tx: Tx, appId: string): Promise<AppRow | null> {
  const rows = await tx.query<AppRow>(`SELECT ${APP_COLUMNS} FROM connected_apps WHERE app_id = $1`, [appId]);
  return rows[0] ?? null;
}

/** The same, locked, so that two uses of one code or refresh token follow each other. */
export async function lockApp(tx: Tx, appId: string): Promise<AppRow | null> {
  const rows = await tx.query<AppRow>(`SELECT ${APP_COLUMNS} FROM connected_apps WHERE app_id = $1 FOR UPDATE`, [
    appId,
  ]);
  return rows[0] ?? null;
}

export interface AppOfKey {
  app: AppRow;
  key: KeyRow;
}

/** Apps in the order of their connection, after `afterAppId`; of one key or member, or of all. */
export async function listApps(
  tx: Tx,
  page: { keyId: string | null; afterAppId: string; limit: number | null },
): Promise<AppOfKey[]> {
  const apps = await tx.query<AppRow>(
    `SELECT ${APP_COLUMNS} FROM connected_apps
      WHERE app_id > $1 AND ($3::text IS NULL OR key_id = $3) ORDER BY app_id LIMIT $2`,
    [page.afterAppId, page.limit, page.keyId],
  );
  return withKeys(tx, apps);
}

export async function insertCode(tx: Tx, row: Omit<CodeRow, 'used_at'>): Promise<void> {
  await tx.execute(
    `INSERT INTO app_codes (tenant_id, sha256, app_id, redirect_uri, code_challenge, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [row.tenant_id, row.sha256, row.app_id, row.redirect_uri, row.code_challenge, row.expires_at],
  );
}

export async function findCode(tx: Tx, sha256: Buffer): Promise<CodeRow | null> {
  const rows = await tx.query<CodeRow>(`SELECT ${CODE_COLUMNS} FROM app_codes WHERE sha256 = $1`, [sha256]);
  return rows[0] ?? null;
}

/** False when it was used before. */
export async function useCode(tx: Tx, sha256: Buffer, at: Date): Promise<boolean> {
  return (
    (await tx.execute('UPDATE app_codes SET used_at = $2 WHERE sha256 = $1 AND used_at IS NULL', [sha256, at])) > 0
  );
}

export async function insertAppToken(tx: Tx, row: Omit<AppTokenRow, 'used_at'>): Promise<void> {
  await tx.execute(
    `INSERT INTO app_tokens (tenant_id, sha256, app_id, kind, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`,
    [row.tenant_id, row.sha256, row.app_id, row.kind, row.created_at, row.expires_at],
  );
}

/** Refresh tokens that an app has been issued after this time. */
export async function countRefreshTokens(tx: Tx, appId: string, after: Date): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM app_tokens WHERE app_id = $1 AND kind = 'refresh' AND created_at > $2",
    [appId, after],
  );
  return row!.count;
}

/** Either token of an app by its digest, over all tenants: needs the worker role. */
export async function findAppToken(tx: Tx, sha256: Buffer): Promise<AppTokenRow | null> {
  const rows = await tx.query<AppTokenRow>(`SELECT ${TOKEN_COLUMNS} FROM app_tokens WHERE sha256 = $1`, [sha256]);
  return rows[0] ?? null;
}

/** False when it was used before. */
export async function useRefreshToken(tx: Tx, sha256: Buffer, at: Date): Promise<boolean> {
  return (
    (await tx.execute('UPDATE app_tokens SET used_at = $2 WHERE sha256 = $1 AND used_at IS NULL', [sha256, at])) > 0
  );
}

export async function recordAppUse(tx: Tx, appId: string, at: Date, expiresAt: Date): Promise<void> {
  await tx.execute('UPDATE connected_apps SET last_used_at = $2, expires_at = $3 WHERE app_id = $1', [
    appId,
    at,
    expiresAt,
  ]);
}

interface AppWithTenant extends AppOfKey {
  tenant: TenantRow;
}

/** The access tokens with these digests, their apps, keys and tenants, over all tenants: needs the worker role. */
export async function findAppsByDigests(
  tx: Tx,
  digests: readonly Uint8Array[],
): Promise<(AppWithTenant & { token: AppTokenRow })[]> {
  const tokens = await tx.query<AppTokenRow>({
    name: 'app_tokens_by_digest',
    text: `SELECT ${TOKEN_COLUMNS} FROM app_tokens WHERE sha256 = ANY($1::bytea[]) AND kind = 'access'`,
    values: [digests.map((sha256) => Buffer.from(sha256))],
  });
  if (tokens.length === 0) return [];
  const apps = await tx.query<AppRow>(`SELECT ${APP_COLUMNS} FROM connected_apps WHERE app_id = ANY($1)`, [
    tokens.map((token) => token.app_id),
  ]);
  const found = new Map((await withTenants(tx, await withKeys(tx, apps))).map((one) => [one.app.app_id, one]));
  return tokens.flatMap((token) => {
    const one = found.get(token.app_id);
    return one === undefined ? [] : [{ ...one, token }];
  });
}

/** The app with this id, over all tenants: needs the worker role. */
export async function findAppWithTenant(tx: Tx, appId: string): Promise<AppWithTenant | null> {
  const app = await findApp(tx, appId);
  return app === null ? null : ((await withTenants(tx, await withKeys(tx, [app])))[0] ?? null);
}

export async function findAppOfKey(tx: Tx, appId: string): Promise<AppOfKey | null> {
  const app = await findApp(tx, appId);
  return app === null ? null : ((await withKeys(tx, [app]))[0] ?? null);
}

async function withKeys(tx: Tx, apps: readonly AppRow[]): Promise<AppOfKey[]> {
  const keys = await listKeyRows(
    tx,
    apps.map((app) => app.key_id),
  );
  return apps.flatMap((app) => {
    const key = keys.get(app.key_id);
    return key === undefined ? [] : [{ app, key }];
  });
}

async function withTenants(tx: Tx, found: readonly AppOfKey[]): Promise<AppWithTenant[]> {
  const tenants = await findTenants(
    tx,
    found.map(({ key }) => key.tenant_id),
  );
  return found.flatMap(({ app, key }) => {
    const tenant = tenants.get(key.tenant_id);
    return tenant === undefined ? [] : [{ app, key, tenant }];
  });
}

/** Deletes what ended long ago, and tokens and codes that nobody can use any more. */
export async function deleteEndedApps(tx: Tx): Promise<void> {
  await tx.execute(
    `DELETE FROM connected_apps
      WHERE least(expires_at, coalesce(revoked_at, 'infinity')) < now() - make_interval(days => $1)`,
    [ENDED_RETENTION_DAYS],
  );
  await tx.execute("DELETE FROM app_tokens WHERE expires_at < now() - interval '1 day'");
  await tx.execute('DELETE FROM app_clients WHERE expires_at < now()');
}
