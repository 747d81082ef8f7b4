import { ChargeService, MemoryReadService, OPERATIONS, ProviderKeyService, TenancyService } from '@cairn/contracts';
import { relayOutbox, runEventWork } from '@cairn/events';
import { createServiceTokenSource } from '@cairn/identity';
import { type Runner, type RunWork, startRunFeed, startRunner } from '@cairn/ledger';
import { createModels, createProviderKeySource, readModelsConfig } from '@cairn/llm';
import { appendToOutbox, createDatabase, type Database, requireMigrated, startSweeper } from '@cairn/postgres';
import {
  assertComplete,
  closeInReverse,
  listenGrpc,
  listenHttp,
  type Logger,
  noteWork,
  operationsApp,
  readServiceKeys,
  rpcClient,
  type Running,
  type StartedService,
} from '@cairn/service-kit';
import { type Charges, chargesOver, NO_CHARGES } from './charges/charges.ts';
import { startSettling } from './charges/settle-due.ts';
import type { Config } from './config.ts';
import { operations } from './http.ts';
import { MIGRATIONS } from './migrate.ts';
import { memorySourceOver } from './memory/memory-source.ts';
import { createOutboundClients, type OutboundClients } from '@cairn/outbound';
import { ROBOT_NAME } from './crawl/robots.ts';
import { createWebSearch } from './crawl/web-search.ts';
import { rpcServices } from './rpc.ts';
import { onEnd } from './runs/on-end.ts';
import { startForgetting } from './erasure/forget.ts';
import { createLogReader } from './watch/log-reader.ts';
import { takeUpgrades } from './watch/upgrades.ts';
import { createFileReader } from './uploads/file-reader.ts';
import { createTextWorkers } from './text-work/text-workers.ts';
import { kindsOf } from './run-work/kinds.ts';
import { modelNames } from './run-work/model-names.ts';

const SCHEMA = 'research';
const WORKER_POOL_MAX = 12;

/** Puts the service together and starts it. */
export async function startResearchService(config: Config, logger: Logger): Promise<StartedService> {
  await requireMigrated({ url: config.databaseUrl, schema: SCHEMA, directories: MIGRATIONS });
  const { signer, verifier, requests, ticketSigner, tickets } = await readServiceKeys(config, 'research');
  const ownToken = createServiceTokenSource(signer, SCHEMA);
  const { database, workerDatabase } = databases(config, logger);
  const tenancy = rpcClient(TenancyService, config.tenancyGrpc, ownToken);
  const memory = rpcClient(MemoryReadService, config.memoryGrpc, ownToken);
  const usage = config.usageGrpc === undefined ? null : rpcClient(ChargeService, config.usageGrpc, ownToken);
  const providerKeys = rpcClient(ProviderKeyService, config.tenancyGrpc, ownToken);
  const outbound = await createOutboundClients(config, USER_AGENT, logger);
  const models = createModels({
    outbound,
    config: await readModelsConfig(config.modelsFile),
    providerKeys: createProviderKeySource(providerKeys),
    meter: (event) => workerDatabase.withTenant(event.tenantId, (tx) => appendToOutbox(tx, event)),
  });
  const charges = usage === null ? NO_CHARGES : chargesOver(usage);
  const { baseUrl, connectWithinMs, clarifyWithinMs, allowedOrigins, modelCallTimeoutMs } = config;
  const feed = await startRunFeed(database, SCHEMA);
  const watching = { ticketSigner, tickets, baseUrl, connectWithinMs, feed, log: createLogReader(database) };
  const common = { ...watching, database, tenancy, charges };
  const text = createTextWorkers({ workers: config.workers, cpuMaxMs: config.analysisTimeoutMs });
  const bound = operations({
    ...common,
    text,
    files: createFileReader(text),
    models: modelNames(models.names),
    hasProxy: config.webProxy !== undefined || config.outboundProxy !== undefined,
  });
  assertComplete(SCHEMA, OPERATIONS, bound);
  const http = await listenHttp(
    operationsApp({ operations: bound, requests, logger, ready: () => database.ping() }),
    config.httpListen,
  );
  const onError = (error: unknown) => logger.error({ err: error }, 'a watcher could not be served');
  const upgrades = takeUpgrades(http.server, { ...common, requests, allowedOrigins, onError });
  const grpc = await listenGrpc(rpcServices({ workerDatabase }), config.grpcListen, verifier, logger);
  const web = webParts(config, outbound);
  const worked = { models, charges, modelCallTimeoutMs, memory: memorySourceOver(memory), clarifyWithinMs, text };
  const kinds = kindsOf({ ...web.parts, ...worked, database: workerDatabase });
  const runner = await startRuns(config, logger, { workerDatabase, kinds });
  const background = startBackground(config, logger, { workerDatabase, charges });
  const clients = [
    async () => tenancy.close(),
    async () => providerKeys.close(),
    async () => memory.close(),
    async () => usage?.close(),
  ];
  const running = closeInReverse([
    ...[database, workerDatabase, ...clients, outbound, background],
    ...[feed, text, runner, grpc, http, upgrades],
  ]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: running.close };
}

/** Works on what is due, as much at a time as the operator says. */
function startRuns(
  config: Config,
  logger: Logger,
  { workerDatabase, kinds }: { workerDatabase: Database; kinds: Record<string, RunWork> },
): Promise<Runner> {
  return startRunner({
    database: workerDatabase,
    schema: SCHEMA,
    kinds,
    concurrencyMax: config.runsMax,
    perTenantMax: config.runsPerTenantMax,
    stallsMax: config.runStallsMax,
    onEnd,
    onStep: ({ runId, kind, key }) => noteWork(`run ${runId} (${kind}) ${key}`),
    completedEvent: (_run, result) => ({ type: 'run.completed', data: (result ?? {}) as Record<string, unknown> }),
    onError: (error, run) => logger.warn({ err: error, ...run }, 'a run is tried again'),
  });
}

/** What goes on beside requests and runs: telling usage, publishing, and forgetting what has had its time. */
function startBackground(
  config: Config,
  logger: Logger,
  parts: { workerDatabase: Database; charges: Charges },
): Running {
  const { workerDatabase, charges } = parts;
  const settling = startSettling({ workerDatabase, charges }, (error) =>
    logger.warn({ err: error }, 'a charge could not be told; it is tried again'),
  );
  const sweeper = startSweeper(workerDatabase, (error) => logger.warn({ err: error }, 'sweeping failed'));
  const { uploadsKeepMs, textsKeepMs } = config;
  const forgetting = startForgetting({ workerDatabase, uploadsKeepMs, textsKeepMs }, (error) =>
    logger.warn({ err: error }, 'sweeping failed'),
  );
  const events = runEventWork({
    url: config.natsUrl,
    name: SCHEMA,
    logger,
    start: async (bus) => [await relayOutbox({ bus, database: workerDatabase, schema: SCHEMA, logger })],
  });
  return closeInReverse([sweeper, settling, events, forgetting]);
}

const USER_AGENT = `${ROBOT_NAME}/1.0 (respects robots.txt)`;

/** How runs reach the web: directly or through the installation's proxy, and through the one that a run may ask for. */
function webParts(config: Config, outbound: OutboundClients) {
  const { webProxy, webSearch, webSearchUrl, webSearchKey, crawlPauseMs } = config;
  const search =
    webSearch === undefined
      ? null
      : createWebSearch({
          provider: webSearch,
          url: webSearchUrl,
          apiKey: webSearchKey,
          outbound: outbound.trusted,
        });
  const parts = {
    outbound: outbound.untrusted,
    proxied: webProxy === undefined ? null : outbound.through(webProxy),
    search,
    crawlPauseMs,
  };
  return { parts };
}

function databases(config: Config, logger: Logger): { database: Database; workerDatabase: Database } {
  const onIdleError = (error: Error) => logger.warn({ err: error }, 'database connection lost');
  const { databaseUrl, databaseWorkerUrl, databasePoolMax } = config;
  return {
    database: createDatabase({ onIdleError, url: databaseUrl, applicationName: SCHEMA, poolMax: databasePoolMax }),
    workerDatabase: createDatabase({
      onIdleError,
      url: databaseWorkerUrl,
      applicationName: `${SCHEMA}-worker`,
      poolMax: WORKER_POOL_MAX,
    }),
  };
}
