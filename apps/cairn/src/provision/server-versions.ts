import { createDatabase, pgvectorTooOld, postgresTooOld } from '@cairn/postgres';

export interface ServerFacts {
  /** Such as 170011. */
  versionNumber: number;
  version: string;
  superuser: boolean;
  /** The version of pgvector that the server could install; null when its files are not there. */
  pgvector: string | null;
}

/** Reads the versions of the server and the rights of the role, as its administrator. */
export async function readServerFacts(adminUrl: string): Promise<ServerFacts> {
  const database = createDatabase({ url: adminUrl, applicationName: 'cairn:provision', poolMax: 1 });
  try {
    const [row] = await database.transaction((tx) =>
      tx.query<ServerFacts>(
        `SELECT current_setting('server_version_num')::int AS "versionNumber",
                current_setting('server_version') AS version,
                (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser,
                (SELECT coalesce(installed_version, default_version) FROM pg_available_extensions WHERE name = 'vector') AS pgvector`,
      ),
    );
    return row!;
  } finally {
    await database.close();
  }
}

/** Why the server cannot be used; null when it can. */
export function refusalOf(facts: ServerFacts): string | null {
  const unsupported = postgresTooOld(facts);
  if (unsupported !== null) return `${unsupported} Nothing was changed.`;
  if (!facts.superuser)
    return 'The role of --admin-url is not a superuser, which is needed to create roles and what they own. Nothing was changed.';
  const oldVector = facts.pgvector === null ? null : pgvectorTooOld(facts.pgvector);
  return oldVector === null ? null : `${oldVector} Nothing was changed.`;
}
