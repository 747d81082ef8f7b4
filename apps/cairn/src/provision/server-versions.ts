import { createDatabase } from '@cairn/postgres';

export interface ServerFacts {
  /** Such as 170011. */
  versionNumber: number;
  version: string;
  superuser: boolean;
  /** The version of pgvector that the server could install; null when its files are not there. */
  pgvector: string | null;
}

/** The monthly tables of usage grant MAINTAIN, which came with it. */
const POSTGRES_MIN = 17;
/** HNSW indexes came with it. */
const PGVECTOR_MIN = [0, 5] as const;

/** Reads the versions of the server and the rights of the role, as its administrator. */
export async function readServerFacts(adminUrl: string): Promise<ServerFacts> {
  const database = createDatabase({ url: adminUrl, applicationName: 'cairn:provision', poolMax: 1 });
  try {
    const [row] = await database.transaction((tx) =>
      tx.query<ServerFacts>(
        `SELECT current_setting('server_version_num')::int AS "versionNumber",
                current_setting('server_version') AS version,
                (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser,
                (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS pgvector`,
      ),
    );
    return row!;
  } finally {
    await database.close();
  }
}

/** Why the server cannot be used; null when it can. */
export function refusalOf(facts: ServerFacts): string | null {
  if (facts.versionNumber < POSTGRES_MIN * 10_000)
    return `PostgreSQL ${POSTGRES_MIN} or later is needed; this server is ${facts.version}. Nothing was changed.`;
  if (!facts.superuser)
    return 'The role of --admin-url is not a superuser, which is needed to create roles and what they own. Nothing was changed.';
  if (facts.pgvector !== null && isOlder(facts.pgvector, PGVECTOR_MIN))
    return `pgvector ${PGVECTOR_MIN.join('.')} or later is needed; this server has ${facts.pgvector}. Nothing was changed.`;
  return null;
}

function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [haveMajor = 0, haveMinor = 0] = version.split('.').map(Number);
  return haveMajor < major || (haveMajor === major && haveMinor < minor);
}

/** Makes pgvector's types in the schema of the memory service; its owner may not where it is no trusted extension. */
export async function installPgvector(adminUrl: string, schema: string): Promise<void> {
  const database = createDatabase({ url: adminUrl, applicationName: 'cairn:provision', poolMax: 1 });
  try {
    await database.transaction((tx) => tx.execute(`CREATE EXTENSION IF NOT EXISTS vector SCHEMA "${schema}"`));
  } finally {
    await database.close();
  }
}
