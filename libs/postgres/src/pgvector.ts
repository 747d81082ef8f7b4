import pg from 'pg';
import { createDatabase } from './database.ts';
import { pgvectorTooOld } from './server-version.ts';

/**
 * Makes pgvector's types in a schema when the server has the files of a supported version; returns whether it has. For an
 * administrator, because the schema's owner may not where pgvector is no trusted extension.
 */
export async function installPgvector(adminUrl: string, schema: string): Promise<boolean> {
  const database = createDatabase({ url: adminUrl, applicationName: 'cairn:provision', poolMax: 1 });
  try {
    return await database.transaction(async (tx) => {
      const [found] = await tx.query<{ version: string }>(
        "SELECT coalesce(installed_version, default_version) AS version FROM pg_available_extensions WHERE name = 'vector'",
      );
      if (found === undefined || pgvectorTooOld(found.version) !== null) return false;
      await tx.execute(`CREATE EXTENSION IF NOT EXISTS vector SCHEMA ${pg.escapeIdentifier(schema)}`);
      return true;
    });
  } finally {
    await database.close();
  }
}
