import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@cairn/embedded';
import { createDatabase, FOUNDATION_MIGRATIONS, migrate, provisionService } from '@cairn/postgres';
import type { Database } from '@cairn/postgres';

/** A real PostgreSQL with this service's tables, for one spec file. */
export interface SpecDatabase {
  app: Database;
  worker: Database;
  url: string;
  workerUrl: string;
  ownerUrl: string;
  close(): Promise<void>;
}

const MIGRATIONS = join(import.meta.dirname, '..', 'migrations');
const POOL_MAX = 24;

export async function openSpecDatabase(): Promise<SpecDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cairn-index-'));
  const server = await startPostgres({ dataDir, settings: { fsync: 'off', synchronous_commit: 'off' } });
  const roles = await provisionService({
    superuserUrl: server.superuserUrl,
    database: 'cairn',
    service: 'memory',
    password: 'spec',
  });
  await migrate({ ownerUrl: roles.ownerUrl, schema: 'memory', directories: [FOUNDATION_MIGRATIONS, MIGRATIONS] });
  const app = createDatabase({ url: roles.url, applicationName: 'spec', poolMax: POOL_MAX });
  const worker = createDatabase({ url: roles.workerUrl, applicationName: 'spec-worker', poolMax: POOL_MAX });
  return {
    app,
    worker,
    ...roles,
    async close() {
      await app.close();
      await worker.close();
      await server.stop('immediate');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
