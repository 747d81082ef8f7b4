import { randomUUID } from 'node:crypto';
import type { Outbound } from '@cairn/outbound';
import {
  type Database,
  createServiceDatabases,
  createSnapshotReads,
  logIdleErrors,
  startSweeper,
} from '@cairn/postgres';
import { createMerger, createSegmentIndex, type IndexCaches, MERGE_LIMITS } from '@cairn/search-index';
import { closeInReverse, type Logger, type Running } from '@cairn/service-kit';
import type { GraphLinker } from '../graph/linking/graph-linker.ts';
import { startGraphMaintenance } from '../graph/graph-maintenance.ts';
import { startJobRunner } from '../ingestion/jobs/job-runner.ts';
import type { QueueQuota } from '../ingestion/queue-quota.ts';
import { startIngestWorker } from '../ingestion/worker.ts';
import type { IngestionDeps } from '../ingestion/ingestion-deps.ts';
import { createChunkSource } from '../documents/chunk-source.ts';
import { type EmbeddingWorkerDeps, startEmbeddingWorker } from '../vectors/embedding-worker.ts';
import { sampleEngine } from './engine-metrics.ts';
import { startEngineIndex } from './engine-index.ts';
import { limitUnavailableWarnings } from './unavailable-warnings.ts';
import type { OutboxRelays } from './outbox-relays.ts';
import type { WholeEngine } from '../memories/engines.ts';
import { isSettled, wasRefusedAsMoving } from '../memories/moving-memories.ts';
import { ANALYSER } from '../text/analyser.ts';

/** Where an engine is and as whom to connect. The URLs hold passwords: never into a log or an error. */
export interface EngineConnection {
  engineId: string;
  /** postgres:// URLs of the serving role and of the background role. */
  url: string;
  workerUrl: string;
  /** Of the streaming replicas, as the serving role. */
  replicaUrls: readonly string[];
  /** A higher revision has other URLs. */
  revision: bigint;
  /** opensearch:// URL of a cluster for its lexical index; null: PostgreSQL's own. */
  searchUrl: string | null;
}

/** One engine with its background work: ingestion, merges, upkeep of graphs, outbox, sweeping. */
export interface EngineRuntime extends Running {
  engineId: string;
  revision: bigint;
  /** Runs `work`; the engine's connections stay open until it is done, whatever happens to the engine meanwhile. */
  use<T>(work: (engine: WholeEngine) => Promise<T>): Promise<T>;
}

export interface RuntimeOptions {
  connection: EngineConnection;
  poolMax: number;
  workerPoolMax: number;
  caches: IndexCaches;
  tombstoneRetentionMs: number;
  graphSettleMs: number;
  publishedRetentionHours: number;
  relays: OutboxRelays;
  /** What ingestion on every engine shares. */
  ingestion: SharedIngestion;
  embedding: Pick<EmbeddingWorkerDeps, 'models' | 'model'>;
  /** To addresses of the operator's configuration. */
  trusted: Outbound;
  logger: Logger;
}

export type SharedIngestion = Pick<
  IngestionDeps,
  'cipher' | 'pool' | 'settings' | 'outbound' | 'routers' | 'failedContentRetentionDays'
> & {
  linker: GraphLinker;
  queueQuota: QueueQuota;
};

/** Longer than a request may take. */
const DRAIN_TIMEOUT_MS = 35_000;

/** Starts an engine's work. An unreachable server blocks nothing: everything is retried until it is reachable. */
export function startEngine(options: RuntimeOptions): EngineRuntime {
  const { connection, graphSettleMs: settleMs } = options;
  const logger = limitUnavailableWarnings(options.logger.child({ engine_id: connection.engineId }));
  const { database, workerDatabase } = createServiceDatabases({
    service: 'memory',
    config: {
      databaseUrl: connection.url,
      databaseWorkerUrl: connection.workerUrl,
      databasePoolMax: options.poolMax,
    },
    workerPoolMax: options.workerPoolMax,
    logger,
  });
  const reads = createSnapshotReads({
    primary: database,
    primaryUrl: connection.url,
    replicaUrls: connection.replicaUrls,
    applicationName: 'memory',
    poolMax: options.poolMax,
    onIdleError: logIdleErrors(logger),
  });
  const { merger, engineIndex } = startIndex(options, { database, workerDatabase, logger });
  const { index, search } = engineIndex;
  // Every runtime has a name of its own: claims of one that died or left are never taken for one's own.
  const owner = randomUUID();
  const worker = startIngestWorker({ ...options.ingestion, database, workerDatabase, index, owner, logger });
  const { linker, queueQuota } = options.ingestion;
  const jobs = startJobRunner({ database, workerDatabase, index, linker, queueQuota, logger });
  const upkeep = startGraphMaintenance({ database, workerDatabase, linker, owner, logger, settleMs });
  const embedding = startEmbeddingWorker({ database, workerDatabase, ...options.embedding, logger });
  const relay = options.relays.add(workerDatabase, logger);
  const sampling = sampleEngine(workerDatabase);
  const sweeper = startSweeper({
    database: workerDatabase,
    publishedRetentionHours: options.publishedRetentionHours,
    onError: (error) => logger.warn({ err: error }, 'sweeper: deleting expired rows failed; retrying'),
  });
  const uses = countUses();
  const running = closeInReverse([
    database,
    reads,
    workerDatabase,
    () => uses.ended(DRAIN_TIMEOUT_MS),
    sampling,
    sweeper,
    relay,
    embedding,
    merger,
    engineIndex,
    upkeep,
    async () => (await jobs).close(),
    async () => (await worker).close(),
  ]);
  return {
    engineId: connection.engineId,
    revision: connection.revision,
    use: (work) => uses.during(() => work({ database, reads, workerDatabase, index, search })),
    close: () => running.close(),
  };
}

/** The index with its merges, and where the operator has named one, the search engine beside it. */
function startIndex(
  { connection, caches, tombstoneRetentionMs, trusted }: RuntimeOptions,
  { database, workerDatabase, logger }: { database: Database; workerDatabase: Database; logger: Logger },
) {
  const merger = createMerger({
    analyser: ANALYSER,
    database: workerDatabase,
    permission: { condition: isSettled, isRefusal: wasRefusedAsMoving },
    chunkSource: createChunkSource(database),
    limits: { ...MERGE_LIMITS, tombstoneRetentionMs },
    onError: (error) => logger.warn({ err: error }, 'index merge: a merge failed; retrying'),
  });
  const segments = createSegmentIndex({
    analyser: ANALYSER,
    caches,
    databaseName: `${connection.engineId} ${connection.revision}`,
    onSegmentAdded: (memory) => merger.notice(memory),
    onExpunge: (memory) => merger.notice(memory),
  });
  merger.start();
  const parts = { segments, database, workerDatabase, outbound: trusted, logger };
  return { merger, engineIndex: startEngineIndex(connection.searchUrl, parts) };
}

/** Counts what is running, so that connections are not closed under it. */
function countUses() {
  let running = 0;
  let onIdle: () => void = () => undefined;
  return {
    async during<T>(work: () => Promise<T>): Promise<T> {
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) onIdle();
      }
    },
    ended(timeoutMs: number): Promise<void> {
      if (running === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const cut = setTimeout(resolve, timeoutMs);
        onIdle = () => {
          clearTimeout(cut);
          resolve();
        };
      });
    },
  };
}
