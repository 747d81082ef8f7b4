import { randomBytes } from 'node:crypto';
import { createDatabase, type Database, provisionService, type ServiceRoles } from '@cairn/postgres';
import pg from 'pg';
import { POSTGRES_URL_VARIABLE } from './test-engines.ts';
import { TEST_PASSWORDS, templateOf } from './template-database.ts';

export interface TestDatabase extends ServiceRoles {
  /** Connected as the serving role: row-level security binds it. */
  app: Database;
  /** Connected as the background role. */
  worker: Database;
  superuserUrl: string;
  close(): Promise<void>;
}

const POOL_MAX = 8;

/** Makes a database with a service's schema, roles and migrations, gone again with `close`. */
export async function createTestDatabase(options: {
  service: string;
  migrations: string[];
  /** Of another server than the one that the test run shares. */
  serverUrl?: string;
}): Promise<TestDatabase> {
  const superuserUrl = options.serverUrl ?? process.env[POSTGRES_URL_VARIABLE];
  if (superuserUrl === undefined)
    throw new Error(`${POSTGRES_URL_VARIABLE} is not set: run specs with the root jest.config.ts`);
  const database = `t_${randomBytes(6).toString('hex')}`;
  const template = await templateOf({ ...options, superuserUrl });
  await runOnServer(superuserUrl, `CREATE DATABASE ${database} TEMPLATE ${template}`);
  const { roles } = await provisionService({
    superuserUrl,
    database,
    service: options.service,
    passwords: TEST_PASSWORDS,
  });
  const app = createDatabase({ url: roles.url, applicationName: 'test-app', poolMax: POOL_MAX });
  const worker = createDatabase({ url: roles.workerUrl, applicationName: 'test-worker', poolMax: POOL_MAX });
  const own = new URL(superuserUrl);
  own.pathname = `/${database}`;
  return {
    ...roles,
    app,
    worker,
    superuserUrl: own.href,
    async close() {
      await app.close();
      await worker.close();
      await runOnServer(superuserUrl, `DROP DATABASE ${database} WITH (FORCE)`);
    },
  };
}

async function runOnServer(superuserUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
