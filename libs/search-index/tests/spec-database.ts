import { join } from 'node:path';
import { createDatabase, FOUNDATION_MIGRATIONS, type Database } from '@cairn/postgres';
import { createTestDatabase } from '@cairn/testing';

/** A real PostgreSQL with the index's tables, for one spec file. */
export interface SpecDatabase {
  app: Database;
  worker: Database;
  close(): Promise<void>;
}

/** Memory owns the tables: installations have applied these migrations under their numbers. */
const MIGRATIONS = join(import.meta.dirname, '..', '..', '..', 'apps', 'memory', 'src', 'migrations');
/** 8 writers and 8 readers each hold a connection. */
const POOL_MAX = 20;

export async function openSpecDatabase(): Promise<SpecDatabase> {
  const database = await createTestDatabase({ service: 'memory', migrations: [FOUNDATION_MIGRATIONS, MIGRATIONS] });
  const app = createDatabase({ url: database.url, applicationName: 'spec', poolMax: POOL_MAX });
  return {
    app,
    worker: database.worker,
    async close() {
      await app.close();
      await database.close();
    },
  };
}
