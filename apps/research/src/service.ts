import { ChargeService, MemoryReadService, OPERATIONS, ProviderKeyService, TenancyService } from '@cairn/contracts';
import { createChangeLog, eventReplayService, relayOutbox, runEventWork } from '@cairn/events';
import { createServiceTokenSource } from '@cairn/identity';
import { startRunFeed } from './ledger/feed.ts';
import { type Runner, type RunWork, startRunner } from './ledger/runner.ts';
import { createModels, createProviderKeySource, type ModelsConfig, readModelsConfig } from '@cairn/llm';
import { appendToOutbox, createServiceDatabases, type Database, requireMigrated, startSweeper } from '@cairn/postgres';
import {
  assertComplete,
  closeInReverse,
  type InternalTls,
  listenGrpc,
  listenOperations,
  type Logger,
  openInternalTls,
  labelWork,
  readServiceKeys,
  rpcClient,
  type RpcClient,
  type Running,
  type StartedService,
} from '@cairn/service-kit';
import { type Charges, createCharges, NO_CHARGES } from './charges/charges.ts';
import { startAbandoning } from './charges/charge-intents.ts';
import { startChargeReporting } from './charges/report-due-charges.ts';
import type { Config } from './config.ts';
import { boundOperations } from './http.ts';
import { MIGRATIONS } from './migrate.ts';
import { createMemorySource } from './memory/memory-source.ts';
import { createOutboundClients, type OutboundClients } from '@cairn/outbound';
import { ROBOT_NAME } from './reading/robots.ts';
import { createWebSearch } from './crawl/web-search.ts';
import { type ResearchFeatures, rpcServices } from './rpc.ts';
import { sampleRuns } from './runs/run-metrics.ts';
import { onStatusChanged } from './runs/announce-run.ts';
import { onRunFinished } from './runs/on-run-finished.ts';
import { startTextExpiry } from './erasure/expire-texts.ts';
import { createLogReader } from './watch/log-reader.ts';
import { acceptUpgrades } from './watch/connect-run.ts';
import { createFileReader } from './uploads/file-reader.ts';
import { createTextWorkers, type TextWorkers } from './workers/text-workers.ts';
import { workflowsByKind } from './workflows/workflows.ts';
import { modelNames } from './runs/model-names.ts';

const SCHEMA = 'research';
const WORKER_POOL_MAX = 12;

/** Composes the service and starts it. */
export async function startResearchService(config: Config, logger: Logger): Promise<StartedService> {
  await requireMigrated({ url: config.databaseUrl, schema: SCHEMA, directories: MIGRATIONS });
  const { signer, verifier, requests, ticketSigner, tickets } = await readServiceKeys(config, 'research');
  const ownToken = createServiceTokenSource(signer, SCHEMA);
  const tls = await openInternalTls(config, logger);
  const { database, workerDatabase } = createServiceDatabases({
    service: SCHEMA,
    config,
    workerPoolMax: WORKER_POOL_MAX,
    logger,
  });
  const clients = grpcClients(config, ownToken, tls);
  const { tenancy, memory, usage, providerKeys } = clients;
  const outbound = await createOutboundClients(config, USER_AGENT, logger);
  const { models, offered } = await openModels(config, { outbound, workerDatabase, providerKeys });
  const charges = usage === null ? NO_CHARGES : createCharges(usage);
  const { baseUrl, connectWithinMs, clarifyWithinMs, allowedOrigins, modelCallTimeoutMs } = config;
  const feed = await startRunFeed(database, SCHEMA);
  const watching = { ticketSigner, tickets, baseUrl, connectWithinMs, feed, log: createLogReader(database) };
  const common = { ...watching, database, tenancy, charges };
  const text = createTextWorkers({ workers: config.workers, cpuMaxMs: config.analysisTimeoutMs });
  const hasProxy = config.webProxy !== undefined || config.outboundProxy !== undefined;
  const bound = boundOperations({
    ...common,
    ...offered,
    text,
    files: createFileReader(text),
    models: modelNames(models.names),
    hasProxy,
    hasWebSearch: config.webSearch !== undefined,
  });
  assertComplete(SCHEMA, OPERATIONS, bound);
  const http = await listenOperations(
    { operations: bound, requests, logger, ready: () => database.ping(), changes: createChangeLog(logger) },
    { ...config, tls },
  );
  const onError = (error: unknown) => logger.error({ err: error }, 'watch: serving a client failed; it can reconnect');
  const upgrades = acceptUpgrades(http.server, { ...common, requests, allowedOrigins, onError });
  const grpc = await listenGrpc(
    [
      ...rpcServices({ workerDatabase, features: featuresOf(config, offered.modelsConfig, hasProxy) }),
      eventReplayService(() => [workerDatabase]),
    ],
    config.grpcListen,
    verifier,
    logger,
    tls,
  );
  const web = webDeps(config, outbound);
  const workDeps = { models, charges, modelCallTimeoutMs, memory: createMemorySource(memory), clarifyWithinMs, text };
  const kinds = workflowsByKind({ ...web, ...workDeps, database: workerDatabase });
  const runner = await startRuns(config, logger, { workerDatabase, kinds, text });
  const background = startBackground(config, logger, { workerDatabase, charges });
  const running = closeInReverse([
    database,
    workerDatabase,
    clients,
    outbound,
    background,
    feed,
    text,
    runner,
    tls,
    grpc,
    http,
    upgrades,
  ]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: running.close };
}

async function openModels(
  { modelsFile }: Config,
  deps: {
    outbound: OutboundClients;
    workerDatabase: Database;
    providerKeys: RpcClient<typeof ProviderKeyService>;
  },
) {
  const modelsConfig = await readModelsConfig(modelsFile);
  const providerKeys = createProviderKeySource(deps.providerKeys);
  const access = { outbound: deps.outbound, config: modelsConfig, providerKeys };
  const models = createModels({
    ...access,
    meter: (event) => deps.workerDatabase.withTenant(event.tenantId, (tx) => appendToOutbox(tx, event)),
  });
  const { outbound } = deps;
  return { models, offered: { access, modelsConfig, outbound, providerKeys: deps.providerKeys } };
}

function featuresOf(config: Config, models: ModelsConfig, proxy: boolean): ResearchFeatures {
  return {
    languageModels: models.language_models.map(({ name }) => name),
    embeddings: models.embedding !== undefined,
    reranking: models.reranker !== undefined,
    webSearch: config.webSearch !== undefined,
    proxy,
  };
}

function grpcClients(config: Config, ownToken: ReturnType<typeof createServiceTokenSource>, tls: InternalTls | null) {
  const clients = {
    tenancy: rpcClient(TenancyService, config.tenancyGrpc, ownToken, tls),
    providerKeys: rpcClient(ProviderKeyService, config.tenancyGrpc, ownToken, tls),
    memory: rpcClient(MemoryReadService, config.memoryGrpc, ownToken, tls),
    usage: config.usageGrpc === undefined ? null : rpcClient(ChargeService, config.usageGrpc, ownToken, tls),
  };
  return {
    ...clients,
    async close() {
      for (const client of Object.values(clients)) client?.close();
    },
  };
}

/** Starts the runner with the operator's limits. */
function startRuns(
  config: Config,
  logger: Logger,
  { workerDatabase, kinds, text }: { workerDatabase: Database; kinds: Record<string, RunWork>; text: TextWorkers },
): Promise<Runner> {
  return startRunner({
    database: workerDatabase,
    schema: SCHEMA,
    kinds,
    concurrencyMax: config.runsMax,
    perTenantMax: config.runsPerTenantMax,
    needs: text,
    stallsMax: config.runStallsMax,
    onRunFinished,
    onStatusChanged,
    onStep: ({ runId, kind, key }) => labelWork(`run ${runId} (${kind}) ${key}`),
    completedEvent: (_run, result) => ({ type: 'run.completed', data: (result ?? {}) as Record<string, unknown> }),
    onError: (error, run) => logger.warn({ err: error, ...run }, 'runner: an attempt failed; retrying'),
  });
}

/** Starts background work: reporting charges, publishing events, and deleting expired data. */
function startBackground(
  config: Config,
  logger: Logger,
  { workerDatabase, charges }: { workerDatabase: Database; charges: Charges },
): Running {
  const chargeReporting = startChargeReporting({ workerDatabase, charges }, (error) =>
    logger.warn({ err: error }, 'charges: reporting to usage failed; retrying'),
  );
  const abandoning = startAbandoning({ workerDatabase, charges }, (error) =>
    logger.warn({ err: error }, 'charges: releasing the reservations of failed starts failed; retrying'),
  );
  const sweeper = startSweeper({
    database: workerDatabase,
    publishedRetentionHours: config.publishedRetentionHours,
    onError: (error) => logger.warn({ err: error }, 'sweeper: deleting expired rows failed; retrying'),
  });
  const { uploadsRetentionMs, textsRetentionMs } = config;
  const textExpiry = startTextExpiry({ workerDatabase, uploadsRetentionMs, textsRetentionMs }, (error) =>
    logger.warn({ err: error }, 'text expiry: deleting expired texts failed; retrying'),
  );
  const events = runEventWork({
    broker: config,
    name: SCHEMA,
    logger,
    start: async (bus) => [await relayOutbox({ bus, database: workerDatabase, schema: SCHEMA, logger })],
  });
  return closeInReverse([sampleRuns(workerDatabase), sweeper, abandoning, chargeReporting, events, textExpiry]);
}

const USER_AGENT = `${ROBOT_NAME}/1.0 (respects robots.txt)`;

/** How runs reach the web: directly or through the installation's proxy, or through the one that a run may ask for. */
function webDeps(config: Config, outbound: OutboundClients) {
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
  return {
    outbound: outbound.untrusted,
    proxied: webProxy === undefined ? null : outbound.through(webProxy),
    search,
    crawlPauseMs,
  };
}
