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
import { deleteOldMonths } from './allowances/quota-store.ts';
import { deleteFullBuckets } from './allowances/rate-store.ts';
import type { Config } from './config.ts';
import { startEvents } from './events.ts';
import { boundOperations } from './http.ts';
import { MIGRATIONS } from './migrate.ts';
import { createGatewayClients } from './gateways/gateway-clients.ts';
import { deleteExpiredLeases, leaseTable } from './gateways/lease-store.ts';
import { resumeInterruptedRevocations } from './invalidation/resume-interrupted-revocations.ts';
import { createInvalidate, type Invalidate } from './invalidation/invalidate.ts';
import { resumeLineageRevocations } from './invalidation/revoke-lineage.ts';
import { deleteExpiredTokens } from './credentials/oauth-store.ts';
import { deleteOldReports } from './gateways/report-usage.ts';
import { revokeDueKeys } from './api-keys/revoke-due-keys.ts';
import { rpcServices } from './rpc.ts';

const WORKER_POOL_MAX = 6;
const PUSH_RETRY_MS = 200;
const RESUME_EVERY_MS = 5_000;
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
  const onIdleError = (error: Error) =>
    logger.warn({ err: error }, 'keys: an idle database connection was lost; the pool opens another');
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

  const gateways = createGatewayClients(createServiceTokenSource(signer, 'keys'));
  const coordinate = createCoordinator({
    clock: SYSTEM_CLOCK,
    leases: leaseTable(workerDatabase),
    push: gateways.push,
    retryMs: PUSH_RETRY_MS,
  });
  const invalidate = createInvalidate({ coordinate, workerDatabase, logger });

  const bound = boundOperations({
    invalidate,
    database,
    workerDatabase,
    tenancy,
    now,
    baseUrl: config.baseUrl,
  });
  assertComplete('keys', OPERATIONS, bound);
  const http = await listenHttp(
    operationsApp({ operations: bound, requests, logger, ready: () => database.ping() }),
    config.httpListen,
  );
  const grpc = await listenGrpc(
    rpcServices({ invalidate, workerDatabase, now, logger }),
    config.grpcListen,
    verifier,
    logger,
  );
  const events = runEventWork({
    broker: config,
    name: 'keys',
    logger,
    start: (bus) => startEvents(bus, { invalidate, workerDatabase, logger }),
  });
  const background = startBackgroundWork({ invalidate, workerDatabase, now, logger });
  const closing = closeInReverse([
    database,
    workerDatabase,
    background,
    gateways,
    async () => tenancy.close(),
    events,
    grpc,
    http,
  ]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: closing.close };
}

/** Periodic work: revoking rotated keys that are due, finishing interrupted revocations, deleting what has expired. */
function startBackgroundWork(deps: {
  invalidate: Invalidate;
  workerDatabase: Database;
  now: () => Date;
  logger: Logger;
}): Running {
  const { workerDatabase, logger } = deps;
  return closeInReverse([
    startSweeper(workerDatabase, (error) =>
      logger.warn({ err: error }, 'keys: deleting expired outbox and idempotency rows failed; it is tried again'),
    ),
    repeat(
      SWEEP_EVERY_MS,
      () =>
        workerDatabase.transaction(async (tx) => {
          await deleteOldReports(tx);
          await deleteExpiredTokens(tx);
          await deleteExpiredLeases(tx);
          await deleteFullBuckets(tx);
          await deleteOldMonths(tx);
        }),
      (error) =>
        logger.warn(
          { err: error },
          'keys: deleting expired usage reports, tokens, leases, buckets and quotas failed; it is tried again in an hour',
        ),
    ),
    repeat(
      RESUME_EVERY_MS,
      async () => {
        await resumeInterruptedRevocations(deps);
        await resumeLineageRevocations(deps);
      },
      (error) =>
        logger.error({ err: error }, 'keys: resuming interrupted revocations failed; it is tried again in 5 s'),
    ),
    repeat(
      REVOKE_DUE_EVERY_MS,
      () => revokeDueKeys(deps),
      (error) => logger.error({ err: error }, 'keys: revoking rotated keys failed; it is tried again in 1 s'),
    ),
  ]);
}
