import { createDatabase, type Database } from '@cairn/postgres';
import { connectSuperuser, createTestDatabase } from '@cairn/testing';
import { MIGRATIONS } from '../src/runtime/migrate-schema.ts';

/** A real PostgreSQL with this service's tables, for one spec file. */
export interface SpecDatabase {
  app: Database;
  worker: Database;
  /** As another history of the database would have left it. */
  restartSequence(name: string, at: number): Promise<void>;
  close(): Promise<void>;
}

const POOL_MAX = 20;

export async function openSpecDatabase(): Promise<SpecDatabase> {
  const database = await createTestDatabase({ service: 'memory', migrations: MIGRATIONS });
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
