import { join } from 'node:path';
import { OPERATIONS } from '@cairn/contracts';
import { relayOutbox, runEventWork } from '@cairn/events';
import { createDatabase, FOUNDATION_MIGRATIONS, migrate, startSweeper } from '@cairn/postgres';
import {
  assertComplete,
  closeInReverse,
  listenGrpc,
  listenHttp,
  type Logger,
  operationsApp,
  readIdentityKeys,
  type StartedService,
} from '@cairn/service-kit';
import type { Config } from './config.ts';
import { operations } from './http.ts';
import { readPlans } from './plans.ts';
import { rpcServices } from './rpc.ts';

export const MIGRATIONS: string[] = [FOUNDATION_MIGRATIONS, join(import.meta.dirname, 'migrations')];
const WORKER_POOL_MAX = 4;

/** Puts the service together and starts it. */
export async function startTenancy(config: Config, logger: Logger): Promise<StartedService> {
  if (config.databaseOwnerUrl !== undefined) {
    await migrate({ ownerUrl: config.databaseOwnerUrl, schema: 'tenancy', directories: MIGRATIONS });
  }
  const plans = await readPlans(config.plansFile);
  const { verifier } = await readIdentityKeys(config);
  const onIdleError = (error: Error) => logger.warn({ err: error }, 'database connection lost');
  const database = createDatabase({
    url: config.databaseUrl,
    applicationName: 'tenancy',
    poolMax: config.databasePoolMax,
    onIdleError,
  });
  const workerDatabase = createDatabase({
    url: config.databaseWorkerUrl,
    applicationName: 'tenancy-worker',
    poolMax: WORKER_POOL_MAX,
    onIdleError,
  });

  const bound = operations({ database, plans });
  assertComplete('tenancy', OPERATIONS, bound);
  const http = await listenHttp(
    operationsApp({ operations: bound, verifier, logger, ready: () => database.ping() }),
    config.httpListen,
  );
  const grpc = await listenGrpc(rpcServices({ database, workerDatabase, plans }), config.grpcListen, verifier, logger);
  const events = runEventWork({
    url: config.natsUrl,
    name: 'tenancy',
    logger,
    start: async (bus) => [await relayOutbox({ bus, database: workerDatabase, schema: 'tenancy', logger })],
  });
  const sweeper = startSweeper(workerDatabase, (error) => logger.warn({ err: error }, 'sweeping failed'));
  const parts = closeInReverse([database, workerDatabase, sweeper, events, grpc, http]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: parts.close };
}
