import { OPERATIONS, TenantDirectoryService } from '@cairn/contracts';
import { runEventWork } from '@cairn/events';
import { createServiceTokenSource } from '@cairn/identity';
import {
  createDatabase,
  createServiceDatabases,
  type Database,
  logIdleErrors,
  requireMigrated,
  startSweeper,
} from '@cairn/postgres';
import {
  assertComplete,
  closeInReverse,
  listenGrpc,
  listenOperations,
  type Logger,
  openInternalTls,
  readServiceKeys,
  repeat,
  rpcClient,
  type Running,
  type StartedService,
} from '@cairn/service-kit';
import { deleteOldAuditRows } from './audit/audit-store.ts';
import { createMonthPartitions, type MonthPartitions } from './months/partitions.ts';
import type { Config } from './config.ts';
import { releaseExpired } from './credits/end-charge.ts';
import { startEvents } from './events.ts';
import { boundOperations } from './http.ts';
import { MIGRATIONS } from './migrate.ts';
import { watchPrices } from './prices/watch-prices.ts';
import { checkNightly } from './rollups/check-nightly.ts';
import { clusterClosedPartitions } from './rollups/cluster-closed-partitions.ts';
import { rpcServices } from './rpc.ts';
import { deleteExpiredTombstones } from './tenants/erase-tenant.ts';
import { createEnsureTenant } from './tenants/ensure-tenant.ts';

const WORKER_POOL_MAX = 10;
const MAINTENANCE_POOL_MAX = 2;
/** Aggregating the calls of a month takes longer the more there are. */
const MAINTENANCE_TIMEOUT_MS = 30 * 60_000;
const RELEASE_EVERY_MS = 30_000;
const HOURLY_MS = 3_600_000;

/** Constructs the service and starts it. */
export async function startUsage(
  config: Config,
  logger: Logger,
  now: () => Date = () => new Date(),
): Promise<StartedService> {
  await requireMigrated({ url: config.databaseUrl, schema: 'usage', directories: MIGRATIONS });
  const { signer, verifier, requests } = await readServiceKeys(config, 'usage');
  const tls = await openInternalTls(config, logger);
  const { database, workerDatabase, maintenanceDatabase } = databases(config, logger);
  const months = createMonthPartitions(workerDatabase);
  await months.ensureAhead(now());
  const prices = await watchPrices({ file: config.pricesFile, workerDatabase, logger });
  const tenancy = rpcClient(TenantDirectoryService, config.tenancyGrpc, createServiceTokenSource(signer, 'usage'), tls);
  const ensureTenant = createEnsureTenant({ workerDatabase, tenancy, now });
  const deps = { database, workerDatabase, maintenanceDatabase, prices, months, ensureTenant, logger, now };

  const bound = boundOperations(deps);
  assertComplete('usage', OPERATIONS, bound);
  const http = await listenOperations(
    { operations: bound, requests, logger, ready: () => database.ping() },
    { ...config, tls },
  );
  const grpc = await listenGrpc(rpcServices(deps), config.grpcListen, verifier, logger, tls);
  const events = runEventWork({
    broker: config,
    name: 'usage',
    logger,
    start: (bus) => startEvents(bus, deps),
  });
  const running = closeInReverse([
    database,
    workerDatabase,
    maintenanceDatabase,
    async () => tenancy.close(),
    prices,
    startBackgroundWork({ ...deps, publishedRetentionHours: config.publishedRetentionHours }),
    events,
    tls,
    grpc,
    http,
  ]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: running.close };
}

function databases(config: Config, logger: Logger) {
  return {
    ...createServiceDatabases({ service: 'usage', config, workerPoolMax: WORKER_POOL_MAX, logger }),
    maintenanceDatabase: createDatabase({
      url: config.databaseWorkerUrl,
      applicationName: 'usage-maintenance',
      poolMax: MAINTENANCE_POOL_MAX,
      statementTimeoutMs: MAINTENANCE_TIMEOUT_MS,
      onIdleError: logIdleErrors(logger),
    }),
  };
}

/** Periodic work: creates partitions ahead, releases expired reservations, checks the roll-ups each night. */
function startBackgroundWork(deps: {
  workerDatabase: Database;
  maintenanceDatabase: Database;
  months: MonthPartitions;
  now: () => Date;
  logger: Logger;
  publishedRetentionHours: number;
}): Running {
  const { workerDatabase, months, now, logger } = deps;
  const logFailure = (what: string) => (error: unknown) =>
    logger.warn({ err: error }, `background work: ${what} failed; retrying at the next interval`);
  return closeInReverse([
    startSweeper({
      database: workerDatabase,
      publishedRetentionHours: deps.publishedRetentionHours,
      onError: logFailure('deleting expired rows'),
    }),
    repeat(HOURLY_MS, () => months.ensureAhead(now()), logFailure('creating partitions ahead')),
    repeat(
      HOURLY_MS,
      () => workerDatabase.transaction(deleteExpiredTombstones),
      logFailure('deleting expired tombstones'),
    ),
    repeat(HOURLY_MS, () => deleteOldAudits(workerDatabase, now), logFailure('deleting old records of the audit log')),
    repeat(HOURLY_MS, () => checkNightly(deps), logFailure('checking the roll-ups')),
    repeat(HOURLY_MS, () => clusterClosedPartitions(deps), logFailure('clustering ended months')),
    repeat(RELEASE_EVERY_MS, () => releaseExpired(deps), logFailure('releasing expired reservations')),
  ]);
}

async function deleteOldAudits(database: Database, now: () => Date): Promise<void> {
  while (await database.transaction((tx) => deleteOldAuditRows(tx, now())));
}
