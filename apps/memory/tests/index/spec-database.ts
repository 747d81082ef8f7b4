import { join } from 'node:path';
import { createDatabase, FOUNDATION_MIGRATIONS, type Database } from '@cairn/postgres';
import { connectSuperuser, createTestDatabase } from '@cairn/testing';

/** A real PostgreSQL with this service's tables, for one spec file. */
export interface SpecDatabase {
  app: Database;
  worker: Database;
  /** As another history of the database would have left it. */
  restartSequence(name: string, at: number): Promise<void>;
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
    async restartSequence(name, at) {
      const superuser = await connectSuperuser(database, 'memory');
      await superuser.ask(`ALTER SEQUENCE ${name} RESTART WITH ${at}`);
      await superuser.close();
    },
    async close() {
      await app.close();
      await database.close();
    },
  };
}
