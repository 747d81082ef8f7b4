import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { OPERATIONS, TenancyService } from '@cairn/contracts';
import { relayOutbox, runEventWork } from '@cairn/events';
import { createServiceTokenSource } from '@cairn/identity';
import { createDatabase, FOUNDATION_MIGRATIONS, migrate, startSweeper } from '@cairn/postgres';
import {
  assertComplete,
  closeInReverse,
  listenHttp,
  type Logger,
  operationsApp,
  readIdentityKeys,
  rpcClient,
  type StartedService,
} from '@cairn/service-kit';
import type { Config } from './config.ts';
import { operations } from './http.ts';
import { createSegmentIndex } from './index/segment-index.ts';
import { createMerger } from './index/merger.ts';
import { startIngestWorker } from './ingest-worker.ts';
import { createMemoryLookup } from './memory-lookup.ts';
import { storedChunks } from './stored-chunks.ts';

export const MIGRATIONS: string[] = [FOUNDATION_MIGRATIONS, join(import.meta.dirname, 'migrations')];
const WORKER_POOL_MAX = 6;

/** Puts the service together and starts it. */
export async function startMemory(config: Config, logger: Logger): Promise<StartedService> {
  if (config.databaseOwnerUrl !== undefined) {
    await migrate({ ownerUrl: config.databaseOwnerUrl, schema: 'memory', directories: MIGRATIONS });
  }
  const { signer, verifier } = await readIdentityKeys(config);
  const onIdleError = (error: Error) => logger.warn({ err: error }, 'database connection lost');
  const database = createDatabase({
    url: config.databaseUrl,
    applicationName: 'memory',
    poolMax: config.databasePoolMax,
    onIdleError,
  });
  const workerDatabase = createDatabase({
    url: config.databaseWorkerUrl,
    applicationName: 'memory-worker',
    poolMax: WORKER_POOL_MAX,
    onIdleError,
  });
  const tenancy = rpcClient(TenancyService, config.tenancyGrpc, createServiceTokenSource(signer, 'memory'));
  const merger = createMerger({
    database: workerDatabase,
    chunkSource: storedChunks(database),
    onError: (error) => logger.warn({ err: error }, 'an index merge failed and is tried again'),
  });
  const index = createSegmentIndex({
    pageCacheMaxBytes: config.indexCacheMaxBytes,
    onSegmentAdded: (memory) => merger.notice({ tenantId: memory.tenantId, memoryId: memory.memoryId }),
  });
  const lookup = createMemoryLookup(tenancy);

  const bound = operations({ database, lookup, index, queueMax: config.ingestQueueMax });
  assertComplete('memory', OPERATIONS, bound);
  const http = await listenHttp(
    operationsApp({ operations: bound, verifier, logger, ready: () => database.ping() }),
    config.httpListen,
  );
  // A boot has a name of its own: claims of a process that died are never taken for one's own.
  const owner = randomUUID();
  merger.start();
  const worker = await startIngestWorker({ database, workerDatabase, index, owner, logger });
  const events = runEventWork({
    url: config.natsUrl,
    name: 'memory',
    logger,
    start: async (bus) => [await relayOutbox({ bus, database: workerDatabase, schema: 'memory', logger })],
  });
  const sweeper = startSweeper(workerDatabase, (error) => logger.warn({ err: error }, 'sweeping failed'));
  const parts = closeInReverse([
    database,
    workerDatabase,
    sweeper,
    async () => tenancy.close(),
    events,
    merger,
    worker,
    http,
  ]);
  return { addresses: { http: http.url }, close: parts.close };
}
