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

const COLUMNS = 'client_id, name, redirect_uris, created_at, expires_at';

export async function insertAppClient(tx: Tx, row: AppClientRow): Promise<void> {
  await tx.execute(
    'INSERT INTO app_clients (client_id, name, redirect_uris, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)',
    [row.client_id, row.name, row.redirect_uris, row.created_at, row.expires_at],
  );
}

/** Those that end before this time and have not yet. Concurrent registrations are serialised here. */
export async function countAppClients(tx: Tx, now: Date, endingBefore: Date): Promise<number> {
  await lockCount(tx, 'app_clients', '');
  const [row] = await tx.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM app_clients WHERE expires_at > $1 AND expires_at <= $2',
    [now, endingBefore],
  );
  return row!.count;
}

export async function findAppClient(tx: Tx, clientId: string, now: Date): Promise<AppClientRow | null> {
  const rows = await tx.query<AppClientRow>(
    `SELECT ${COLUMNS} FROM app_clients WHERE client_id = $1 AND expires_at > $2`,
    [clientId, now],
  );
  return rows[0] ?? null;
}

/** A client that somebody has connected is kept as long as that may last. */
export async function keepAppClient(tx: Tx, clientId: string, until: Date): Promise<void> {
  await tx.execute('UPDATE app_clients SET expires_at = greatest(expires_at, $2) WHERE client_id = $1', [
    clientId,
    until,
  ]);
}
