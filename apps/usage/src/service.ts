import { OPERATIONS, TenantDirectoryService } from '@cairn/contracts';
import { runEventWork } from '@cairn/events';
import { createServiceTokenSource } from '@cairn/identity';
import { createDatabase, type Database, requireMigrated, startSweeper } from '@cairn/postgres';
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
import { createMonths, type Months } from './calls/months.ts';
import type { Config } from './config.ts';
import { releaseExpired } from './credits/end-charge.ts';
import { startEvents } from './events.ts';
import { operations } from './http.ts';
import { MIGRATIONS } from './migrate.ts';
import { watchPrices } from './prices/watch-prices.ts';
import { checkNightly } from './rollups/check-nightly.ts';
import { orderEndedMonths } from './rollups/order-ended-months.ts';
import { rpcServices } from './rpc.ts';
import { forgetClosedTenants } from './tenants/erase-tenant.ts';
import { createKnowTenant } from './tenants/know-tenant.ts';

const WORKER_POOL_MAX = 10;
const MAINTENANCE_POOL_MAX = 2;
/** Adding up all calls of a month takes as long as there are calls. */
const MAINTENANCE_TIMEOUT_MS = 30 * 60_000;
const RELEASE_EVERY_MS = 30_000;
const HOURLY_MS = 3_600_000;

/** Puts the service together and starts it. */
export async function startUsage(
  config: Config,
  logger: Logger,
  now: () => Date = () => new Date(),
): Promise<StartedService> {
  await requireMigrated({ url: config.databaseUrl, schema: 'usage', directories: MIGRATIONS });
  const { signer, verifier, requests } = await readServiceKeys(config, 'usage');
  const { database, workerDatabase, maintenanceDatabase } = databases(config, logger);
  const months = createMonths(workerDatabase);
  await months.ensureAhead(now());
  const prices = await watchPrices({ file: config.pricesFile, workerDatabase, logger });
  const tenancy = rpcClient(TenantDirectoryService, config.tenancyGrpc, createServiceTokenSource(signer, 'usage'));
  const knowTenant = createKnowTenant({ workerDatabase, tenancy, now });
  const parts = { database, workerDatabase, maintenanceDatabase, prices, months, knowTenant, logger, now };

  const bound = operations(parts);
  assertComplete('usage', OPERATIONS, bound);
  const http = await listenHttp(
    operationsApp({ operations: bound, requests, logger, ready: () => database.ping() }),
    config.httpListen,
  );
  const grpc = await listenGrpc(rpcServices(parts), config.grpcListen, verifier, logger);
  const events = runEventWork({
    url: config.natsUrl,
    name: 'usage',
    logger,
    start: (bus) => startEvents(bus, parts),
  });
  const running = closeInReverse([
    database,
    workerDatabase,
    maintenanceDatabase,
    async () => tenancy.close(),
    prices,
    startBackgroundWork(parts),
    events,
    grpc,
    http,
  ]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: running.close };
}

function databases(config: Config, logger: Logger) {
  const onIdleError = (error: Error) => logger.warn({ err: error }, 'database connection lost');
  const worker = { url: config.databaseWorkerUrl, onIdleError };
  return {
    database: createDatabase({
      url: config.databaseUrl,
      applicationName: 'usage',
      poolMax: config.databasePoolMax,
      onIdleError,
    }),
    workerDatabase: createDatabase({ ...worker, applicationName: 'usage-worker', poolMax: WORKER_POOL_MAX }),
    maintenanceDatabase: createDatabase({
      ...worker,
      applicationName: 'usage-maintenance',
      poolMax: MAINTENANCE_POOL_MAX,
      statementTimeoutMs: MAINTENANCE_TIMEOUT_MS,
    }),
  };
}

/** What happens by itself: months get their partitions ahead, forgotten reservations go back, nights are checked. */
function startBackgroundWork(parts: {
  workerDatabase: Database;
  maintenanceDatabase: Database;
  months: Months;
  now: () => Date;
  logger: Logger;
}): Running {
  const { workerDatabase, months, now, logger } = parts;
  const complain = (what: string) => (error: unknown) => logger.warn({ err: error }, `${what} failed`);
  return closeInReverse([
    startSweeper(workerDatabase, complain('sweeping')),
    repeat(HOURLY_MS, () => months.ensureAhead(now()), complain('making partitions ahead')),
    repeat(HOURLY_MS, () => workerDatabase.transaction(forgetClosedTenants), complain('forgetting closed tenants')),
    repeat(HOURLY_MS, () => checkNightly(parts), complain('checking the roll-ups')),
    repeat(HOURLY_MS, () => orderEndedMonths(parts), complain('putting an ended month in order')),
    repeat(RELEASE_EVERY_MS, () => releaseExpired(parts), complain('releasing forgotten reservations')),
  ]);
}
