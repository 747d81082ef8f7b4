import {
  EngineDirectoryService,
  MemorySettingsService,
  OPERATIONS,
  ProviderKeyService,
  TenancyService,
} from '@cairn/contracts';
import { createServiceTokenSource } from '@cairn/identity';
import { createModels, createProviderKeySource, type Meter, readModelsConfig, withCircuitBreakers } from '@cairn/llm';
import { createOutboundClients, type OutboundClients } from '@cairn/outbound';
import { appendToOutbox, requireMigrated } from '@cairn/postgres';
import { readByteCipher } from '@cairn/encryption';
import {
  assertComplete,
  closeInReverse,
  type InternalTls,
  listenGrpc,
  listenOperations,
  type Logger,
  openInternalTls,
  readServiceKeys,
  type RpcClient,
  rpcClient,
  type Running,
  type StartedService,
} from '@cairn/service-kit';
import type { Config } from './config.ts';
import { createGraphLinker } from './graph/linking/graph-linker.ts';
import { readIn } from './graph/linking/windows.ts';
import { createPageRankSignal } from './graph/signal/page-rank-signal.ts';
import { boundOperations, type OperationDeps } from './http.ts';
import { createPreparePool, defaultWorkers } from './ingestion/preparing/prepare-pool.ts';
import { createQueueQuota } from './ingestion/queue-quota.ts';
import { createSpaceRouters } from './ingestion/routing/space-routers.ts';
import { createStorageQuota } from './ingestion/storage-quota.ts';
import { DEFAULT_ENGINE_ID } from './memories/memory-scope.ts';
import { createSettingsSource, type SettingsSource } from './memories/memory-settings.ts';
import { createMemoryResolver } from './memories/resolve-memory.ts';
import { memoryReadService } from './rpc/memory-read-service.ts';
import { createChangeLog, eventReplayService } from '@cairn/events';
import { createIndexCaches } from '@cairn/search-index';
import { memoryMoveService } from './rpc/memory-move-service.ts';
import { memoryStoreService } from './rpc/memory-store-service.ts';
import { createEngineDirectory, type ListEngines } from './runtime/engine-directory.ts';
import { type EnginePool, startEnginePool } from './runtime/engine-pool.ts';
import { type RuntimeOptions, type SharedIngestion, startEngine } from './runtime/engine-runtime.ts';
import { MIGRATIONS } from './runtime/migrate-schema.ts';
import { type OutboxRelays, startOutboxRelays } from './runtime/outbox-relays.ts';
import { createSearchCaches, type SearchCaches } from './runtime/search-caches.ts';
import { createVectorSearch } from './search/create-vector-search.ts';
import { createSearchLog, type SearchLog } from './search/log/search-log.ts';
import { RANKING } from './search/ranking/weights.ts';
import { createTableAnswers, type TableAnswers } from './search/tables/table-answers.ts';
import { NO_VECTOR_SEARCH } from './search/vector-search.ts';
import { createThreadLocator } from './threads/locate-thread.ts';
import { embeddingModelOf } from './vectors/embedding-model.ts';

const DEFAULT_ENGINE_WORKER_POOL_MAX = 6;
const USER_AGENT = 'Cairn-Ingest/1.0';

/** Puts the service together and starts it. */
export async function startMemory(config: Config, logger: Logger): Promise<StartedService> {
  await requireMigrated({ url: config.databaseUrl, schema: 'memory', directories: MIGRATIONS });
  const { signer, verifier, requests } = await readServiceKeys(config, 'memory');
  const tls = await openInternalTls(config, logger);
  const tenancy = connectTenancy(config, createServiceTokenSource(signer, 'memory'), tls);
  const settings = createSettingsSource(tenancy.settings);
  const clients = await createOutboundClients(config, USER_AGENT, logger);
  const models = await readModels(config, tenancy.providerKeys, clients, (event) =>
    engines.onEngine(DEFAULT_ENGINE_ID, ({ database }) =>
      database.withTenant(event.tenantId, (tx) => appendToOutbox(tx, event)),
    ),
  );
  const ingestion = await startSharedIngestion(config, { settings, outbound: clients.untrusted, models, logger });
  const caches = createSearchCaches({
    graphMaxBytes: config.graphCacheMaxBytes,
    onError: (error) =>
      logger.warn({ err: error }, 'graph: reading a graph into memory failed; walks ask the database'),
  });
  const { engines, relays, ...runningEngines } = startEngines(config, {
    logger,
    trusted: clients.trusted,
    listEngines: createEngineDirectory(tenancy.engineDirectory, logger),
    embedding: models.embedding,
    ingestion,
    locate: settings.locate,
    onPoll: caches.purgeIdle,
  });
  const memories = createMemoryResolver(tenancy.memories);
  const tables = createTableAnswers(logger);
  const searchLog = createSearchLog({ engines, settings, pool: ingestion.pool, logger });
  const shared = { engines, memories, settings, ingestion, models, caches, tables, searchLog, logger };
  const deps = operationDeps(config, shared);
  const operations = boundOperations(deps);
  assertComplete('memory', OPERATIONS, operations);
  const services = [
    memoryStoreService({ engines, migrations: MIGRATIONS, eraseBudgetMs: config.eraseBudgetMs }),
    memoryMoveService(engines),
    memoryReadService(deps),
    eventReplayService(relays.databases),
  ];
  const grpc = await listenGrpc(services, config.grpcListen, verifier, logger, tls);
  const ready = () => engines.onEngine(DEFAULT_ENGINE_ID, ({ database }) => database.ping());
  const http = await listenOperations(
    { operations, requests, logger, ready, changes: createChangeLog(logger) },
    { ...config, tls },
  );
  const running = closeInReverse([tenancy, clients, ingestion, runningEngines, tables, searchLog, tls, grpc, http]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: running.close };
}

/** The services of tenancy that this one calls. */
function connectTenancy(
  config: Config,
  ownToken: ReturnType<typeof createServiceTokenSource>,
  tls: InternalTls | null,
) {
  const memories = rpcClient(TenancyService, config.tenancyGrpc, ownToken, tls);
  const providerKeys = rpcClient(ProviderKeyService, config.tenancyGrpc, ownToken, tls);
  const engineDirectory = rpcClient(EngineDirectoryService, config.tenancyGrpc, ownToken, tls);
  const settings = rpcClient(MemorySettingsService, config.tenancyGrpc, ownToken, tls);
  const { close } = closeInReverse([
    async () => memories.close(),
    async () => engineDirectory.close(),
    async () => settings.close(),
    async () => providerKeys.close(),
  ]);
  return { memories, providerKeys, engineDirectory, settings, close };
}

interface ConfiguredModels {
  embedding: RuntimeOptions['embedding'];
  /** Name of the model that extracts statements from documents; null: rules alone. */
  extraction: string | null;
  meter: Meter;
}

async function readModels(
  config: Config,
  providerKeys: RpcClient<typeof ProviderKeyService>,
  outbound: OutboundClients,
  meter: Meter,
): Promise<ConfiguredModels> {
  const modelsConfig = await readModelsConfig(config.modelsFile);
  const models = createModels({
    config: modelsConfig,
    providerKeys: createProviderKeySource(providerKeys),
    meter,
    outbound,
    stallTimeoutMs: config.modelStallMs,
  });
  return {
    embedding: { models, model: embeddingModelOf(modelsConfig) },
    extraction: modelsConfig.extraction?.model ?? null,
    meter,
  };
}

/** What ingestion on all engines shares: keys, worker processes, settings, classifiers, and the graph's linker. */
async function startSharedIngestion(
  config: Config,
  deps: {
    settings: SettingsSource;
    outbound: SharedIngestion['outbound'];
    models: ConfiguredModels;
    logger: Logger;
  },
): Promise<SharedIngestion & Running> {
  const { embedding, extraction } = deps.models;
  const modelReading =
    extraction === null ? null : { models: embedding.models, model: extraction, logger: deps.logger };
  const cipher = await readByteCipher(config.ingestKeysFile);
  const pool = createPreparePool({
    workers: config.ingestWorkers ?? defaultWorkers(),
    cpuMaxMs: config.ingestTimeoutMs,
    memoryMaxMb: config.ingestMemoryMaxMb,
  });
  return {
    cipher,
    pool,
    settings: deps.settings,
    outbound: deps.outbound,
    routers: createSpaceRouters(),
    failedContentRetentionDays: config.failedContentRetentionDays,
    queueQuota: createQueueQuota({ documentsMax: config.ingestQueueMax, bytesMax: config.ingestQueueMaxBytes }),
    linker: createGraphLinker(readIn(pool), modelReading),
    close: () => pool.close(),
  };
}

function operationDeps(
  config: Config,
  deps: Pick<OperationDeps, 'engines' | 'memories' | 'logger'> & {
    settings: SettingsSource;
    ingestion: SharedIngestion;
    models: ConfiguredModels;
    caches: SearchCaches;
    tables: TableAnswers;
    searchLog: SearchLog;
  },
): OperationDeps {
  const { engines, memories, settings, ingestion, models, caches, tables, searchLog, logger } = deps;
  const { embedding, meter } = models;
  // For searches alone: ingestion repeats what failed, with pauses of its own.
  const guarded = withCircuitBreakers(embedding.models);
  return {
    engines,
    memories,
    threads: createThreadLocator({ engines, memories }),
    cipher: ingestion.cipher,
    linker: ingestion.linker,
    settings,
    pool: ingestion.pool,
    routers: ingestion.routers,
    queueQuota: ingestion.queueQuota,
    storageQuota: createStorageQuota({ engines, memories, settings }),
    models: guarded,
    timeouts: {
      embeddingMs: config.embeddingTimeoutMs,
      rerankerMs: config.rerankerTimeoutMs,
      answerMs: config.answerTimeoutMs,
    },
    meter,
    passages: {
      reader: caches.reader,
      ranking: RANKING,
      graph: createPageRankSignal(caches.neighbours),
    },
    statements: caches.statements,
    adjacency: caches.adjacency,
    tables,
    searchLog,
    vectors: embedding.model === null ? NO_VECTOR_SEARCH : createVectorSearch(guarded, config.embeddingTimeoutMs),
    now: Date.now,
    logger,
  };
}

/** The service's own database as the default engine, and whatever further engines the directory names. */
function startEngines(
  config: Config,
  deps: Pick<RuntimeOptions, 'embedding' | 'ingestion' | 'logger' | 'trusted'> & {
    listEngines: ListEngines;
    locate: SettingsSource['locate'];
    onPoll: () => void;
  },
): Running & { engines: EnginePool; relays: OutboxRelays } {
  const { embedding, ingestion, logger, trusted } = deps;
  const relays = startOutboxRelays({ broker: config, logger });
  const caches = createIndexCaches({ pageMaxBytes: config.indexCacheMaxBytes });
  const start = (connection: RuntimeOptions['connection'], poolMax: number, workerPoolMax: number) =>
    startEngine({
      connection,
      poolMax,
      workerPoolMax,
      caches,
      tombstoneRetentionMs: config.tombstoneRetentionMs,
      publishedRetentionHours: config.publishedRetentionHours,
      graphSettleMs: config.graphSettleMs,
      relays,
      embedding,
      ingestion,
      trusted,
      logger,
    });
  const own: RuntimeOptions['connection'] = {
    engineId: DEFAULT_ENGINE_ID,
    url: config.databaseUrl,
    workerUrl: config.databaseWorkerUrl,
    replicaUrls: config.databaseReplicaUrl === undefined ? [] : [config.databaseReplicaUrl],
    revision: 0n,
    searchUrl: config.openSearchUrl ?? null,
  };
  const engines = startEnginePool({
    defaultEngine: start(own, config.databasePoolMax, DEFAULT_ENGINE_WORKER_POOL_MAX),
    listEngines: deps.listEngines,
    locate: deps.locate,
    start: (connection) => start(connection, config.enginePoolMax, config.engineWorkerPoolMax),
    pollMs: config.enginePollMs,
    onPoll: () => {
      caches.purgeIdle();
      deps.onPoll();
    },
    logger,
  });
  return { engines, relays, close: closeInReverse([relays, engines]).close };
}
