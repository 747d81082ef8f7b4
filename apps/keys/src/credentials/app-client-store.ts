import type { Tx } from '@cairn/postgres';
import { lockCount } from './plan-limits.ts';

/** A client that registered itself; it belongs to no tenant. */
interface AppClientRow {
  client_id: string;
  name: string;
  redirect_uris: string[];
  created_at: Date;
  expires_at: Date;
}

/** Some of those that the largest network holds make room at a time, so that a flood is not counted at each request. */
const EVICTED_SHARE = 0.1;

const COLUMNS = 'client_id, name, redirect_uris, created_at, expires_at';

export async function insertAppClient(tx: Tx, row: AppClientRow & { network: string }): Promise<void> {
  await tx.execute(
    `INSERT INTO app_clients (client_id, name, redirect_uris, created_at, expires_at, network)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [row.client_id, row.name, row.redirect_uris, row.created_at, row.expires_at, row.network],
  );
}

/**
 * Deletes some of the oldest clients of the network that holds most of those that end before this time and have not
 * yet, when there are `max` of them. Concurrent registrations are serialised here.
 */
export async function evictAppClients(tx: Tx, now: Date, endingBefore: Date, max: number): Promise<void> {
  await lockCount(tx, 'app_clients', '');
  const unconnected = 'expires_at > $1 AND expires_at <= $2';
  const [row] = await tx.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM app_clients WHERE ${unconnected}`,
    [now, endingBefore],
  );
  if (row!.count < max) return;
  await tx.execute(
    `WITH largest AS (
       SELECT network, count(*) AS held FROM app_clients WHERE ${unconnected}
       GROUP BY network ORDER BY count(*) DESC, network LIMIT 1
     )
     DELETE FROM app_clients WHERE client_id IN (
       SELECT client_id FROM app_clients JOIN largest USING (network) WHERE ${unconnected}
       ORDER BY created_at, client_id LIMIT (SELECT ceil(held * $3::float8)::int FROM largest)
     )`,
    [now, endingBefore, EVICTED_SHARE],
  );
}

export async function findAppClient(tx: Tx, clientId: string, now: Date): Promise<AppClientRow | null> {
  const rows = await tx.query<AppClientRow>(
    `SELECT ${COLUMNS} FROM app_clients WHERE client_id = $1 AND expires_at > $2`,
    [clientId, now],
  );
  return rows[0] ?? null;
}

/** A client that somebody has connected expires no earlier than the connection. */
export async function extendAppClient(tx: Tx, clientId: string, until: Date): Promise<void> {
  await tx.execute('UPDATE app_clients SET expires_at = greatest(expires_at, $2) WHERE client_id = $1', [
    clientId,
    until,
  ]);
}
