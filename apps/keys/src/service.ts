import { join } from 'node:path';
import { OPERATIONS, TenancyService } from '@cairn/contracts';
import { runEventWork } from '@cairn/events';
import { createServiceTokenSource } from '@cairn/identity';
import { createDatabase, FOUNDATION_MIGRATIONS, migrate, startSweeper } from '@cairn/postgres';
import {
  assertComplete,
  closeInReverse,
  listenGrpc,
  listenHttp,
  type Logger,
  operationsApp,
  readIdentityKeys,
  rpcClient,
  type StartedService,
} from '@cairn/service-kit';
import type { Config } from './config.ts';
import { startEvents } from './events.ts';
import { operations } from './http.ts';
import { createNarrow } from './narrow/narrow.ts';
import { rpcServices } from './rpc.ts';

export const MIGRATIONS: string[] = [FOUNDATION_MIGRATIONS, join(import.meta.dirname, 'migrations')];
const WORKER_POOL_MAX = 6;

/** Puts the service together and starts it. */
export async function startKeys(
  config: Config,
  logger: Logger,
  now: () => Date = () => new Date(),
): Promise<StartedService> {
  if (config.databaseOwnerUrl !== undefined) {
    await migrate({ ownerUrl: config.databaseOwnerUrl, schema: 'keys', directories: MIGRATIONS });
  }
  const { signer, verifier } = await readIdentityKeys(config);
  const onIdleError = (error: Error) => logger.warn({ err: error }, 'database connection lost');
  const database = createDatabase({
    url: config.databaseUrl,
    applicationName: 'keys',
    poolMax: config.databasePoolMax,
    onIdleError,
  });
  const workerDatabase = createDatabase({
    url: config.databaseWorkerUrl,
    applicationName: 'keys-worker',
    poolMax: WORKER_POOL_MAX,
    onIdleError,
  });
  const tenancy = rpcClient(TenancyService, config.tenancyGrpc, createServiceTokenSource(signer, 'keys'));

  const narrow = createNarrow(logger);

  const bound = operations({ database, tenancy, now });
  assertComplete('keys', OPERATIONS, bound);
  const http = await listenHttp(
    operationsApp({ operations: bound, verifier, logger, ready: () => database.ping() }),
    config.httpListen,
  );
  const grpc = await listenGrpc(rpcServices({ narrow, workerDatabase, now }), config.grpcListen, verifier, logger);
  const events = runEventWork({
    url: config.natsUrl,
    name: 'keys',
    logger,
    start: (bus) => startEvents(bus, { narrow, workerDatabase, logger }),
  });
  const sweeper = startSweeper(workerDatabase, (error) => logger.warn({ err: error }, 'sweeping failed'));
  const parts = closeInReverse([database, workerDatabase, sweeper, async () => tenancy.close(), events, grpc, http]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: parts.close };
}
