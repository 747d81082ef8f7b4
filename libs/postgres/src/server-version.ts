import type pg from 'pg';

/** The monthly tables of usage grant MAINTAIN, which came with it. */
const POSTGRES_MIN = 17;
/** Scans of an HNSW index that go on until enough entries pass a filter came with it. */
const PGVECTOR_MIN = [0, 8] as const;

/** The server, or its pgvector, is older than what Cairn supports. Waiting does not help. */
export class ServerTooOld extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ServerTooOld';
  }
}

/** Why a server of this version cannot be used; null when it can. `versionNumber` is its `server_version_num`. */
export function postgresTooOld(server: { versionNumber: number; version: string }): string | null {
  if (server.versionNumber >= POSTGRES_MIN * 10_000) return null;
  return `PostgreSQL ${POSTGRES_MIN} or later is needed; this server is ${server.version}.`;
}

/** The same of pgvector, by a version such as `0.8.0`. */
export function pgvectorTooOld(version: string): string | null {
  const [haveMajor = 0, haveMinor = 0] = version.split('.').map(Number);
  const [major, minor] = PGVECTOR_MIN;
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return null;
  return `pgvector ${PGVECTOR_MIN.join('.')} or later is needed; this server has ${version}.`;
}

/** Throws `ServerTooOld` when the server, or the pgvector that it offers, is too old. */
export async function requireSupportedServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ versionNumber: number; version: string; pgvector: string | null }>(
    `SELECT current_setting('server_version_num')::int AS "versionNumber", current_setting('server_version') AS version,
            (SELECT coalesce(installed_version, default_version) FROM pg_available_extensions WHERE name = 'vector')
              AS pgvector`,
  );
  const { pgvector, ...server } = rows[0]!;
  const problem = postgresTooOld(server) ?? (pgvector === null ? null : pgvectorTooOld(pgvector));
  if (problem !== null) throw new ServerTooOld(problem);
}
