import {
  EngineDirectoryService,
  MemorySettingsService,
  OPERATIONS,
  ProviderKeyService,
  TenancyService,
} from '@cairn/contracts';
import { createServiceTokenSource } from '@cairn/identity';
import { createModels, createProviderKeySource, type Meter, readModelsConfig } from '@cairn/llm';
import { createOutboundClients, type OutboundClients } from '@cairn/outbound';
import { appendToOutbox, requireMigrated } from '@cairn/postgres';
import {
  assertComplete,
  closeInReverse,
  createLargeBodies,
  listenGrpc,
  listenHttp,
  type Logger,
  operationsApp,
  readServiceKeys,
  rpcClient,
  type Running,
  type StartedService,
} from '@cairn/service-kit';
import type { Config } from './config.ts';
import { directoryOf, type ListEngines } from './engines/engine-directory.ts';
import { type EnginePool, startEnginePool } from './engines/engine-pool.ts';
import { type RuntimeOptions, type SharedIngestion, startEngine } from './engines/engine-runtime.ts';
import { DEFAULT_ENGINE_ID } from './engines/engines.ts';
import { startOutboxRelays } from './engines/outbox-relays.ts';
import { operations } from './http.ts';
import { MIGRATIONS } from './migrate.ts';
import { createGraphLinker } from './graph/graph-linker.ts';
import { createPageRankSignal } from './graph/signal/page-rank-signal.ts';
import { createIndexCaches } from './index/index-caches.ts';
import { createSettingsSource, type SettingsSource } from './ingest/memory-settings.ts';
import { readPayloadSeal } from './ingest/payload.ts';
import { createRoomInQueue } from './ingest/room-in-queue.ts';
import { createRoomInStorage } from './ingest/room-in-storage.ts';
import { createMemoryLookup } from './memory-lookup.ts';
import { readService } from './read-for-research.ts';
import { createPreparePool, defaultWorkers } from './prepare/prepare-pool.ts';
import { createSearchCaches } from './search/search-caches.ts';
import { RANKING } from './ranking/weights.ts';
import { rpcServices } from './rpc.ts';
import { NOTHING_NEAR } from './search/near-chunks.ts';
import { createNearChunks } from './vectors/embed-question.ts';
import { embeddingModelOf } from './vectors/embedding-model.ts';

const DEFAULT_ENGINE_WORKER_POOL_MAX = 6;
const USER_AGENT = 'Cairn-Ingest/1.0';

/** Puts the service together and starts it. */
export async function startMemory(config: Config, logger: Logger): Promise<StartedService> {
  await requireMigrated({ url: config.databaseUrl, schema: 'memory', directories: MIGRATIONS });
  const { signer, verifier, requests } = await readServiceKeys(config, 'memory');
  const ownToken = createServiceTokenSource(signer, 'memory');
  const tenancy = rpcClient(TenancyService, config.tenancyGrpc, ownToken);
  const providerKeys = rpcClient(ProviderKeyService, config.tenancyGrpc, ownToken);
  const directory = rpcClient(EngineDirectoryService, config.tenancyGrpc, ownToken);
  const settingsClient = rpcClient(MemorySettingsService, config.tenancyGrpc, ownToken);
  const settings = createSettingsSource(settingsClient);
  const clients = await createOutboundClients(config, USER_AGENT, logger);
  const intake = await startIntake(config, settings, clients.untrusted);
  let engines: EnginePool | null = null;
  const meter: Meter = (event) =>
    engines!.onEngine(DEFAULT_ENGINE_ID, ({ database }) =>
      database.withTenant(event.tenantId, (tx) => appendToOutbox(tx, event)),
    );
  const { embedding, extraction } = await prepareModels(config, providerKeys, clients, meter);
  const reading = extraction === null ? null : { models: embedding.models, model: extraction, logger };
  const ingestion = { ...intake, linker: createGraphLinker(reading) };
  const kept = createSearchCaches();
  const { engines: pool, ...running } = startEngines(config, logger, directoryOf(directory, logger), {
    embedding,
    ingestion,
    onPoll: kept.purgeIdle,
  });
  engines = pool;
  const lookup = createMemoryLookup(tenancy);
  const roomInQueue = createRoomInQueue({ documentsMax: config.ingestQueueMax, bytesMax: config.ingestQueueMaxBytes });
  const roomInStorage = createRoomInStorage({ engines: pool, lookup, settings });
  const bound = operations({
    engines: pool,
    lookup,
    seal: ingestion.seal,
    linker: ingestion.linker,
    roomInQueue,
    roomInStorage,
    models: embedding.models,
    meter,
    passages: { reader: kept.reader, ranking: RANKING, graph: createPageRankSignal(kept.neighbours) },
    statements: kept.statements,
    near: embedding.model === null ? NOTHING_NEAR : createNearChunks(embedding.models),
    now: Date.now,
    logger,
  });
  assertComplete('memory', OPERATIONS, bound);
  const services = [
    ...rpcServices({ engines: pool, migrations: MIGRATIONS, eraseBudgetMs: config.eraseBudgetMs }),
    readService({ engines }),
  ];
  const grpc = await listenGrpc(services, config.grpcListen, verifier, logger);
  const ready = () => pool.onEngine(DEFAULT_ENGINE_ID, ({ database }) => database.ping());
  const largeBodies = createLargeBodies();
  const app = operationsApp({ operations: bound, requests, logger, ready, largeBodies });
  const http = await listenHttp(app, config.httpListen);
  const parts = closeInReverse([
    async () => tenancy.close(),
    async () => directory.close(),
    async () => settingsClient.close(),
    clients,
    ingestion,
    async () => providerKeys.close(),
    running,
    grpc,
    largeBodies,
    http,
  ]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: parts.close };
}

/** The language models, the model of vectors, and which one reads documents. */
async function prepareModels(
  config: Config,
  providerKeys: Parameters<typeof createProviderKeySource>[0],
  outbound: OutboundClients,
  meter: Meter,
): Promise<Pick<RuntimeOptions, 'embedding'> & { extraction: string | null }> {
  const modelsConfig = await readModelsConfig(config.modelsFile);
  const models = createModels({
    config: modelsConfig,
    providerKeys: createProviderKeySource(providerKeys),
    meter,
    outbound,
    stallTimeoutMs: config.modelStallMs,
  });
  const embedding = { models, model: embeddingModelOf(modelsConfig) };
  return { embedding, extraction: modelsConfig.extraction?.model ?? null };
}

/** What ingestion on all engines shares, but for the linker. */
type Intake = Omit<SharedIngestion, 'linker'> & Running;

/** What reads, screens and fetches documents, for all engines. */
async function startIntake(config: Config, settings: SettingsSource, outbound: Intake['outbound']): Promise<Intake> {
  const seal = await readPayloadSeal(config.ingestKeysFile);
  const pool = createPreparePool({
    workers: config.ingestWorkers ?? defaultWorkers(),
    cpuMaxMs: config.ingestTimeoutMs,
    memoryMaxMb: config.ingestMemoryMaxMb,
  });
  return { seal, pool, settings, outbound, close: closeInReverse([pool]).close };
}

/** The service's own database as the default engine, and whatever further engines the directory names. */
function startEngines(
  config: Config,
  logger: Logger,
  listEngines: ListEngines,
  { onPoll, ...shared }: Pick<RuntimeOptions, 'embedding' | 'ingestion'> & { onPoll: () => void },
): Running & { engines: EnginePool } {
  const relays = startOutboxRelays({ natsUrl: config.natsUrl, logger });
  const caches = createIndexCaches({ pageMaxBytes: config.indexCacheMaxBytes });
  const start = (connection: RuntimeOptions['connection'], poolMax: number, workerPoolMax: number) =>
    startEngine({
      connection,
      poolMax,
      workerPoolMax,
      caches,
      deletedKeepMs: config.deletedKeepMs,
      graphSettleMs: config.graphSettleMs,
      relays,
      ...shared,
      logger,
    });
  const { databaseUrl, databaseWorkerUrl } = config;
  const own = { engineId: DEFAULT_ENGINE_ID, url: databaseUrl, workerUrl: databaseWorkerUrl, revision: 0n };
  const engines = startEnginePool({
    defaultEngine: start(own, config.databasePoolMax, DEFAULT_ENGINE_WORKER_POOL_MAX),
    listEngines,
    start: (connection) => start(connection, config.enginePoolMax, config.engineWorkerPoolMax),
    pollMs: config.enginePollMs,
    onPoll: () => {
      caches.purgeIdle();
      onPoll();
    },
    logger,
  });
  return { engines, close: closeInReverse([relays, engines]).close };
}
