import pg from 'pg';
import type { Deadline } from '../process/deadline.ts';
import { EmbeddedStartError, errorText } from '../embedded-start-error.ts';
import { SUPERUSER } from './initialise-cluster.ts';

const ANSWER_TIMEOUT_MS = 10_000;

/** The superuser's connection URL; the password is hexadecimal and needs no escaping. */
export function postgresUrl(port: number, password: string): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
}

/** Logs in once: proves that the server answers and that the password we keep is its password. */
export async function provePassword(port: number, password: string, deadline: Deadline): Promise<void> {
  const timeoutMs = Math.max(1, Math.min(ANSWER_TIMEOUT_MS, Math.ceil(deadline.remainingMs())));
  const client = new pg.Client({
    connectionString: postgresUrl(port, password),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  // A connection that breaks after this check must not bring the process down.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
  } catch (error) {
    throw new EmbeddedStartError(
      'start_failed',
      `PostgreSQL on port ${port} refused its own superuser: ${errorText(error)}`,
      'If someone changed the password, write the new one into the file superuser-password of the data folder.',
      { cause: error },
    );
  } finally {
    await client.end().catch(() => {});
  }
}
