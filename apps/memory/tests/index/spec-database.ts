import { join } from 'node:path';
import { createDatabase, FOUNDATION_MIGRATIONS, type Database } from '@cairn/postgres';
import { createTestDatabase } from '@cairn/testing';

/** A real PostgreSQL with this service's tables, for one spec file. */
export interface SpecDatabase {
  app: Database;
  worker: Database;
  close(): Promise<void>;
}

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'src', 'migrations');
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
