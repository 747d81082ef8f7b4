import pg from 'pg';
import { type EmbeddedPostgres, startPostgres, type StartPostgresOptions } from '../postgres/start-postgres.ts';
import { archiveTimelines, walArchiveSettings } from './wal-archive.ts';

/**
 * Starts PostgreSQL so that it archives its write-ahead log in a folder. A server that runs already and does not is
 * stopped and started again: it cannot begin to while it runs.
 */
export async function startArchivedPostgres(options: StartPostgresOptions, archive: string): Promise<EmbeddedPostgres> {
  const archiving = await walArchiveSettings(archive);
  const start = () => startPostgres({ ...options, settings: { ...options.settings, ...archiving } });
  let server = await start();
  try {
    if (server.adopted && !(await hasSettings(server, archiving))) {
      options.log?.('PostgreSQL: the running server does not archive its log as wanted, it is started again');
      await server.stop();
      server = await start();
    }
    await archiveTimelines(server.dataDirectory, archive);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function hasSettings({ superuserUrl }: EmbeddedPostgres, wanted: Record<string, string>): Promise<boolean> {
  const client = new pg.Client({ connectionString: superuserUrl, application_name: 'cairn:start' });
  // A connection that breaks after the answer must not bring the process down.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ same: boolean }>(
      `SELECT current_setting('archive_mode') = $1 AND current_setting('archive_command') = $2 AS same`,
      [wanted['archive_mode'], wanted['archive_command']],
    );
    return rows[0]!.same;
  } finally {
    await client.end().catch(() => {});
  }
}
