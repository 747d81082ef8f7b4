import { OPERATIONS, TenancyService } from '@cairn/contracts';
import { runEventWork } from '@cairn/events';
import { createServiceTokenSource } from '@cairn/identity';
import { createDatabase, type Database, requireMigrated, startSweeper } from '@cairn/postgres';
import { createCoordinator, SYSTEM_CLOCK } from '@cairn/revocation';
import {
  assertComplete,
  closeInReverse,
  listenGrpc,
  listenHttp,
  type Logger,
  operationsApp,
  readServiceKeys,
  repeat,
  rpcClient,
  type Running,
  type StartedService,
} from '@cairn/service-kit';
import { forgetOldMonths } from './allowances/quota-store.ts';
import { forgetFullBuckets } from './allowances/rate-store.ts';
import type { Config } from './config.ts';
import { startEvents } from './events.ts';
import { operations } from './http.ts';
import { MIGRATIONS } from './migrate.ts';
import { createGatewayCalls } from './gateways/gateway-calls.ts';
import { forgetEndedLeases, leaseTable } from './gateways/lease-store.ts';
import { finishDenials } from './narrow/finish-denials.ts';
import { createNarrow, type Narrow } from './narrow/narrow.ts';
import { finishLineages } from './narrow/revoke-lineage.ts';
import { forgetEndedTokens } from './oauth-store.ts';
import { forgetOldReports } from './report-usage.ts';
import { revokeDueKeys } from './revoke-due-keys.ts';
import { rpcServices } from './rpc.ts';

const WORKER_POOL_MAX = 6;
const PUSH_RETRY_MS = 200;
const FINISH_EVERY_MS = 5_000;
const REVOKE_DUE_EVERY_MS = 1_000;
const SWEEP_EVERY_MS = 3_600_000;

/** Puts the service together and starts it. */
export async function startKeys(
  config: Config,
  logger: Logger,
  now: () => Date = () => new Date(),
): Promise<StartedService> {
  await requireMigrated({ url: config.databaseUrl, schema: 'keys', directories: MIGRATIONS });
  const { signer, verifier, requests } = await readServiceKeys(config, 'keys');
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

  const gateways = createGatewayCalls(createServiceTokenSource(signer, 'keys'));
  const coordinate = createCoordinator({
    clock: SYSTEM_CLOCK,
    leases: leaseTable(workerDatabase),
    push: gateways.push,
    retryMs: PUSH_RETRY_MS,
  });
  const narrow = createNarrow({ coordinate, workerDatabase, logger });

  const bound = operations({ narrow, database, workerDatabase, tenancy, now, baseUrl: config.baseUrl });
  assertComplete('keys', OPERATIONS, bound);
  const http = await listenHttp(
    operationsApp({ operations: bound, requests, logger, ready: () => database.ping() }),
    config.httpListen,
  );
  const grpc = await listenGrpc(
    rpcServices({ narrow, workerDatabase, now, logger }),
    config.grpcListen,
    verifier,
    logger,
  );
  const events = runEventWork({
    url: config.natsUrl,
    name: 'keys',
    logger,
    start: (bus) => startEvents(bus, { narrow, workerDatabase, logger }),
  });
  const background = startBackgroundWork({ narrow, workerDatabase, now, logger });
  const parts = closeInReverse([
    database,
    workerDatabase,
    background,
    gateways,
    async () => tenancy.close(),
    events,
    grpc,
    http,
  ]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: parts.close };
}

/** What happens by itself: keys that were rotated end, and what has had its time is deleted. */
function startBackgroundWork(parts: {
  narrow: Narrow;
  workerDatabase: Database;
  now: () => Date;
  logger: Logger;
}): Running {
  const { workerDatabase, logger } = parts;
  return closeInReverse([
    startSweeper(workerDatabase, (error) => logger.warn({ err: error }, 'sweeping failed')),
    repeat(
      SWEEP_EVERY_MS,
      () =>
        workerDatabase.transaction(async (tx) => {
          await forgetOldReports(tx);
          await forgetEndedTokens(tx);
          await forgetEndedLeases(tx);
          await forgetFullBuckets(tx);
          await forgetOldMonths(tx);
        }),
      (error) => logger.warn({ err: error }, 'sweeping usage reports and tokens failed'),
    ),
    repeat(
      FINISH_EVERY_MS,
      async () => {
        await finishDenials(parts);
        await finishLineages(parts);
      },
      (error) => logger.error({ err: error }, 'finishing begun revocations failed'),
    ),
    repeat(
      REVOKE_DUE_EVERY_MS,
      () => revokeDueKeys(parts),
      (error) => logger.error({ err: error }, 'revoking rotated keys failed'),
    ),
  ]);
}
