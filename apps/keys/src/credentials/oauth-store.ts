import type { App, AppAction, Scope } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import { findTenants, type TenantRow } from '../tenants/tenant-store.ts';

/** An OAuth client as it is stored, without its secret. */
export interface ClientRow {
  tenant_id: string;
  client_id: string;
  name: string;
  secret_sha256: Buffer;
  livemode: boolean;
  scopes: Scope[];
  app_permissions: Partial<Record<App, AppAction[]>>;
  ip_allowlist: string[];
  requests_per_second: number | null;
  burst: number | null;
  parent_key_id: string;
  created_at: Date;
  last_used_at: Date | null;
  usage_count: number;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export interface TokenRow {
  tenant_id: string;
  token_id: string;
  client_id: string;
  sha256: Buffer;
  scopes: Scope[];
  expires_at: Date;
  revoked_at: Date | null;
}

/** Named, because a prepared statement breaks when a migration adds a column to a `*`. */
const TOKEN_COLUMNS = 'tenant_id, token_id, client_id, sha256, scopes, expires_at, revoked_at';

type NewClientRow = Omit<ClientRow, 'created_at' | 'last_used_at' | 'usage_count' | 'revoked_at'>;

export async function insertClient(tx: Tx, row: NewClientRow): Promise<ClientRow> {
  const rows = await tx.query<ClientRow>(
    `INSERT INTO oauth_clients (tenant_id, client_id, name, secret_sha256, livemode, scopes, app_permissions,
                                ip_allowlist, requests_per_second, burst, parent_key_id, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING *`,
    [
      row.tenant_id,
      row.client_id,
      row.name,
      row.secret_sha256,
      row.livemode,
      row.scopes,
      JSON.stringify(row.app_permissions),
      row.ip_allowlist,
      row.requests_per_second,
      row.burst,
      row.parent_key_id,
      row.expires_at,
    ],
  );
  return rows[0]!;
}

/** Finds a client of any tenant with the worker role. */
export async function findClient(tx: Tx, clientId: string): Promise<ClientRow | null> {
  const rows = await tx.query<ClientRow>('SELECT * FROM oauth_clients WHERE client_id = $1', [clientId]);
  return rows[0] ?? null;
}

/** The clients with these ids. */
export async function findClients(tx: Tx, clientIds: readonly string[]): Promise<ClientRow[]> {
  if (clientIds.length === 0) return [];
  return tx.query<ClientRow>('SELECT * FROM oauth_clients WHERE client_id = ANY($1)', [clientIds]);
}

/** Clients in the order of their creation, after `afterClientId`. */
export async function listClients(tx: Tx, page: { afterClientId: string; limit: number | null }): Promise<ClientRow[]> {
  return tx.query<ClientRow>('SELECT * FROM oauth_clients WHERE client_id > $1 ORDER BY client_id LIMIT $2', [
    page.afterClientId,
    page.limit,
  ]);
}

/**
 * Inserts unless the client was revoked meanwhile; its row is locked, so that a revocation sees the token or is seen.
 */
export async function insertToken(tx: Tx, row: Omit<TokenRow, 'revoked_at'>): Promise<boolean> {
  const inserted = await tx.execute(
    `WITH client AS (SELECT FROM oauth_clients WHERE client_id = $3 AND revoked_at IS NULL FOR SHARE)
     INSERT INTO oauth_tokens (tenant_id, token_id, client_id, sha256, scopes, expires_at)
     SELECT $1, $2, $3, $4, $5, $6 FROM client`,
    [row.tenant_id, row.token_id, row.client_id, row.sha256, row.scopes, row.expires_at],
  );
  return inserted > 0;
}

/** Tokens of a client that are valid at the time, and when the first of them expires. */
export async function countValidTokens(
  tx: Tx,
  clientId: string,
  now: Date,
): Promise<{ valid: number; firstExpiry: Date }> {
  const rows = await tx.query<{ valid: number; first_expiry: Date | null }>(
    `SELECT count(*) AS valid, min(expires_at) AS first_expiry FROM oauth_tokens
      WHERE client_id = $1 AND revoked_at IS NULL AND expires_at > $2`,
    [clientId, now],
  );
  return { valid: rows[0]!.valid, firstExpiry: rows[0]!.first_expiry ?? now };
}

interface TokenWithClient {
  token: TokenRow;
  client: ClientRow;
  tenant: TenantRow;
}

/** The tokens with these digests, their clients and tenants, over all tenants: needs the worker role. */
export async function findTokensByDigests(tx: Tx, digests: readonly Uint8Array[]): Promise<TokenWithClient[]> {
  const tokens = await tx.query<TokenRow>({
    name: 'oauth_tokens_by_digest',
    text: `SELECT ${TOKEN_COLUMNS} FROM oauth_tokens WHERE sha256 = ANY($1::bytea[])`,
    values: [digests.map((sha256) => Buffer.from(sha256))],
  });
  return withClients(tx, tokens);
}

/** The token with this id, over all tenants: needs the worker role. */
export async function findTokenById(tx: Tx, tokenId: string): Promise<TokenWithClient | null> {
  const tokens = await tx.query<TokenRow>('SELECT * FROM oauth_tokens WHERE token_id = $1', [tokenId]);
  return (await withClients(tx, tokens))[0] ?? null;
}

async function withClients(tx: Tx, tokens: readonly TokenRow[]): Promise<TokenWithClient[]> {
  if (tokens.length === 0) return [];
  const rows = await findClients(
    tx,
    tokens.map((token) => token.client_id),
  );
  const clients = new Map(rows.map((row) => [row.client_id, row]));
  const tenants = await findTenants(
    tx,
    rows.map((row) => row.tenant_id),
  );
  return tokens.flatMap((token) => {
    const client = clients.get(token.client_id);
    const tenant = client === undefined ? undefined : tenants.get(client.tenant_id);
    return client === undefined || tenant === undefined ? [] : [{ token, client, tenant }];
  });
}

/** Longer than a client goes on using an expired token, so that it learns why it is refused. */
const EXPIRED_TOKENS_RETENTION_HOURS = 24;

export async function deleteExpiredTokens(tx: Tx): Promise<void> {
  await tx.execute('DELETE FROM oauth_tokens WHERE expires_at < now() - make_interval(hours => $1)', [
    EXPIRED_TOKENS_RETENTION_HOURS,
  ]);
}
