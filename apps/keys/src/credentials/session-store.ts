import type { Tx } from '@cairn/postgres';
import { type KeyRow, listKeyRows } from './key-store.ts';
import { lockCount } from './plan-limits.ts';
import { findTenants, type TenantRow } from '../tenants/tenant-store.ts';

/** A session of the console as it is stored, without its secret. */
export interface SessionRow {
  tenant_id: string;
  session_id: string;
  key_id: string;
  sha256: Buffer;
  address: string;
  user_agent: string;
  created_at: Date;
  last_used_at: Date;
  idle_seconds: number;
  idle_expires_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
}

const SESSION_COLUMNS = `tenant_id, session_id, key_id, sha256, address, user_agent, created_at, last_used_at,
  idle_seconds, idle_expires_at, expires_at, revoked_at`;
/** A use is noted when the last note is as old, so that not every look-up writes. */
const LAST_USED_INTERVAL = '5 minutes';
/** So that a person can look up what was open. */
const ENDED_RETENTION_DAYS = 30;

type NewSessionRow = Omit<SessionRow, 'created_at' | 'last_used_at' | 'revoked_at'>;

export async function insertSession(tx: Tx, row: NewSessionRow): Promise<SessionRow> {
  const rows = await tx.query<SessionRow>(
    `INSERT INTO console_sessions (tenant_id, session_id, key_id, sha256, address, user_agent, idle_seconds,
                                   idle_expires_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${SESSION_COLUMNS}`,
    [
      row.tenant_id,
      row.session_id,
      row.key_id,
      row.sha256,
      row.address,
      row.user_agent,
      row.idle_seconds,
      row.idle_expires_at,
      row.expires_at,
    ],
  );
  return rows[0]!;
}

/** Sessions of a key or member that have not ended. Concurrent transactions that open some are serialised here. */
export async function countOpenSessions(tx: Tx, keyId: string): Promise<number> {
  await lockCount(tx, 'sessions', keyId);
  const [row] = await tx.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM console_sessions
      WHERE key_id = $1 AND revoked_at IS NULL AND least(idle_expires_at, expires_at) > now()`,
    [keyId],
  );
  return row!.count;
}

export async function findSession(tx: Tx, sessionId: string): Promise<SessionRow | null> {
  const rows = await tx.query<SessionRow>(`SELECT ${SESSION_COLUMNS} FROM console_sessions WHERE session_id = $1`, [
    sessionId,
  ]);
  return rows[0] ?? null;
}

/** Sessions in the order of their opening, after `afterSessionId`, with their keys. */
export async function listSessionRows(
  tx: Tx,
  page: { afterSessionId: string; limit: number | null },
): Promise<SessionOfKey[]> {
  const sessions = await tx.query<SessionRow>(
    `SELECT ${SESSION_COLUMNS} FROM console_sessions WHERE session_id > $1 ORDER BY session_id LIMIT $2`,
    [page.afterSessionId, page.limit],
  );
  return withKeys(tx, sessions);
}

export interface SessionOfKey {
  session: SessionRow;
  key: KeyRow;
}

interface SessionWithTenant extends SessionOfKey {
  tenant: TenantRow;
}

/**
 * The sessions with these digests, their keys and tenants, over all tenants: needs the worker role. A session that is
 * looked up is used, which moves its idle end.
 */
export async function findSessionsByDigests(tx: Tx, digests: readonly Uint8Array[]): Promise<SessionWithTenant[]> {
  const sessions = await tx.query<SessionRow>({
    name: 'sessions_by_digest',
    text: `SELECT ${SESSION_COLUMNS} FROM console_sessions WHERE sha256 = ANY($1::bytea[])`,
    values: [digests.map((sha256) => Buffer.from(sha256))],
  });
  if (sessions.length === 0) return [];
  const used = await noteUse(tx, sessions);
  return withTenants(
    tx,
    await withKeys(
      tx,
      sessions.map((row) => used.get(row.session_id) ?? row),
    ),
  );
}

async function noteUse(tx: Tx, sessions: readonly SessionRow[]): Promise<Map<string, SessionRow>> {
  const rows = await tx.query<SessionRow>(
    `UPDATE console_sessions
        SET last_used_at = now(),
            idle_expires_at = least(expires_at, now() + make_interval(secs => idle_seconds))
      WHERE session_id IN (
              SELECT session_id FROM console_sessions
               WHERE session_id = ANY($1) AND last_used_at < now() - interval '${LAST_USED_INTERVAL}'
                 AND revoked_at IS NULL AND least(idle_expires_at, expires_at) > now()
               ORDER BY session_id FOR NO KEY UPDATE)
      RETURNING ${SESSION_COLUMNS}`,
    [sessions.map((session) => session.session_id)],
  );
  return new Map(rows.map((row) => [row.session_id, row]));
}

/** The session with this id, over all tenants: needs the worker role. */
export async function findSessionWithTenant(tx: Tx, sessionId: string): Promise<SessionWithTenant | null> {
  const session = await findSession(tx, sessionId);
  if (session === null) return null;
  return (await withTenants(tx, await withKeys(tx, [session])))[0] ?? null;
}

async function withKeys(tx: Tx, sessions: readonly SessionRow[]): Promise<SessionOfKey[]> {
  const keys = await listKeyRows(
    tx,
    sessions.map((session) => session.key_id),
  );
  return sessions.flatMap((session) => {
    const key = keys.get(session.key_id);
    return key === undefined ? [] : [{ session, key }];
  });
}

async function withTenants(tx: Tx, found: readonly SessionOfKey[]): Promise<SessionWithTenant[]> {
  const tenants = await findTenants(
    tx,
    found.map(({ key }) => key.tenant_id),
  );
  return found.flatMap(({ session, key }) => {
    const tenant = tenants.get(key.tenant_id);
    return tenant === undefined ? [] : [{ session, key, tenant }];
  });
}

/** Deletes what ended long ago, and tickets that nobody can use any more. */
export async function deleteEndedSessions(tx: Tx): Promise<void> {
  await tx.execute(
    `DELETE FROM console_sessions
      WHERE least(idle_expires_at, expires_at, coalesce(revoked_at, 'infinity')) < now() - make_interval(days => $1)`,
    [ENDED_RETENTION_DAYS],
  );
  await tx.execute("DELETE FROM console_tickets WHERE expires_at < now() - interval '1 day'");
}
