import { randomUUID } from 'node:crypto';
import { isConnectionFailure, sqlState } from '@cairn/postgres';
import type { Running } from '@cairn/service-kit';
import { createFairScheduler, type FairScheduler, startWorkers, whileLeased } from '@cairn/work-queue';
import {
  claimDue,
  extendLeases,
  INGEST_CHANNEL,
  type Lane,
  LANES,
  type QueuedDocument,
  tenantsWaiting,
} from './queue.ts';
import { CRASHES_MAX, fail, retryWithoutAttempt } from './retry.ts';
import { compactStorageChanges } from './storage-usage.ts';
import { processBatch } from './process-batch.ts';
import type { IngestionDeps } from './ingestion-deps.ts';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { isUnavailable } from '../memories/unavailable.ts';
import { takeTenantsInTurn, type TenantsInTurn } from './tenants-in-turn.ts';

/** How a lane of the queue is processed. */
interface LaneOptions {
  lane: Lane;
  /** Concurrent workers; each processes one claim before it claims again. */
  workers: number;
  batchMax: number;
  batchMaxBytes: number;
  /** Claims with documents of one tenant that are worked on at a time, so that others find a free worker. */
  perTenantMax: number;
}

const TEXT_LANE: LaneOptions = {
  lane: LANES.text,
  workers: 3,
  batchMax: 64,
  batchMaxBytes: 4 * 1_048_576,
  perTenantMax: 2,
};
const FILE_LANE: LaneOptions = {
  lane: LANES.file,
  workers: 6,
  batchMax: 1,
  batchMaxBytes: Infinity,
  perTenantMax: 4,
};
/** Documents of a process's first claim; each that is done doubles it. The first ones take it longest. */
const BATCH_FIRST = 8;
/** How long a claim lasts without a heartbeat. After it, documents of a dead process are claimed again. */
const LEASE_MS = 20_000;
const HEARTBEAT_MS = 5_000;
const FAILURE_PAUSE_MS = 1_000;
const POLL_MS = 1_000;
const TENANTS_AT_ONCE = 500;
const COMPACT_EVERY_MS = 10_000;
/** A document costs its tenant's turn one unit, and one more for each of so many bytes. */
const BYTES_PER_UNIT = 16_384;

/** Processes the queue for as long as the service runs. Any number of replicas may; a claim belongs to one. */
export async function startIngestWorker(deps: IngestionDeps): Promise<Running> {
  const workers = await startWorkers({
    database: deps.workerDatabase,
    channel: INGEST_CHANNEL,
    lanes: [TEXT_LANE, FILE_LANE].map((options) => ingestLane(deps, options)),
    pollMs: POLL_MS,
    failurePauseMs: FAILURE_PAUSE_MS,
    onError: (error) =>
      deps.logger.warn({ err: error }, 'ingestion: claiming or processing documents failed; retrying'),
  });
  const compaction = setInterval(() => {
    compactStorageChanges(deps.workerDatabase).catch((error: unknown) =>
      deps.logger.warn({ err: error }, 'ingestion: compacting storage usage failed; retrying'),
    );
  }, COMPACT_EVERY_MS);
  compaction.unref();
  return {
    async close() {
      clearInterval(compaction);
      await workers.close();
    },
  };
}

/** What the workers of one lane share. */
interface LaneState {
  scheduler: FairScheduler;
  tenantsInTurn: TenantsInTurn;
  /** Claims in progress, by tenant. */
  inProgress: Map<string, number>;
  /** Documents that the next claim takes at most. */
  batch: number;
  /** Settles when the previous claim is made: planning the next one depends on it. */
  claiming: Promise<unknown>;
}

function ingestLane(deps: IngestionDeps, options: LaneOptions) {
  const state: LaneState = {
    scheduler: createFairScheduler(() => performance.now()),
    tenantsInTurn: takeTenantsInTurn(options.lane, TENANTS_AT_ONCE),
    inProgress: new Map(),
    batch: Math.min(BATCH_FIRST, options.batchMax),
    claiming: Promise.resolve(),
  };
  const work = (signal: AbortSignal) => claimAndProcess(deps, options, state, signal);
  return { slots: options.workers, work };
}

/** Claims the next fair share and processes it, memory by memory. False when nothing was due. */
async function claimAndProcess(
  deps: IngestionDeps,
  options: LaneOptions,
  state: LaneState,
  signal: AbortSignal,
): Promise<boolean> {
  // Each claim has a name of its own: an earlier one of this process must not pass for it.
  const owner = `${deps.owner} ${randomUUID()}`;
  const claiming = state.claiming.then(() => claimNext(deps, options, state, { owner, signal }));
  state.claiming = claiming.catch(() => undefined);
  const claimed = await claiming;
  try {
    await whileLeased(heartbeatOf(deps, claimed), () => processClaimed({ ...deps, owner }, claimed));
    if (claimed.length > 0) state.batch = Math.min(2 * state.batch, options.batchMax);
  } finally {
    countClaims(state.inProgress, claimed, -1);
  }
  return claimed.length > 0;
}

function heartbeatOf({ workerDatabase, logger }: IngestionDeps, claimed: readonly QueuedDocument[]) {
  return {
    everyMs: HEARTBEAT_MS,
    // A batch does not end when some of its documents are lost: what it commits is fenced for each.
    extend: async () => {
      await workerDatabase.transaction((tx) => extendLeases(tx, claimed, LEASE_MS));
      return true;
    },
    onError: (error: unknown) =>
      logger.warn({ err: error }, 'ingestion: extending leases failed; retrying at the next heartbeat'),
  };
}

/** Claims for one worker. One of the lane at a time, or several would all take what is left of one tenant's share. */
async function claimNext(
  deps: IngestionDeps,
  options: LaneOptions,
  state: LaneState,
  { owner, signal }: { owner: string; signal: AbortSignal },
): Promise<QueuedDocument[]> {
  if (!deps.pool.isWarm()) {
    const waiting = await deps.workerDatabase.transaction((tx) => tenantsWaiting(tx, options.lane, '', 1));
    if (waiting.length === 0) return [];
    // What nobody here can read yet is left to other processes.
    await deps.pool.warm(signal);
    if (signal.aborted) return [];
    if (!deps.pool.isWarm())
      deps.logger.error('ingestion: no process can load its model; documents are claimed, and fail if they need it');
  }
  const claimed = await deps.workerDatabase.transaction(async (tx) => {
    const waiting = await state.tenantsInTurn(tx);
    const mayTakeMore = (tenantId: string) => (state.inProgress.get(tenantId) ?? 0) < options.perTenantMax;
    const shares = state.scheduler.plan(waiting.filter(mayTakeMore), state.batch);
    return claimDue(tx, {
      lane: options.lane,
      shares,
      owner,
      leaseMs: LEASE_MS,
      maxBytes: Math.min(options.batchMaxBytes, Number.MAX_SAFE_INTEGER),
    });
  });
  for (const { tenant_id, bytes } of claimed) state.scheduler.charge(tenant_id, 1 + bytes / BYTES_PER_UNIT);
  countClaims(state.inProgress, claimed, 1);
  return claimed;
}

function countClaims(inProgress: Map<string, number>, claimed: readonly QueuedDocument[], by: 1 | -1): void {
  for (const tenantId of new Set(claimed.map((document) => document.tenant_id))) {
    const now = (inProgress.get(tenantId) ?? 0) + by;
    if (now === 0) inProgress.delete(tenantId);
    else inProgress.set(tenantId, now);
  }
}

async function processClaimed(deps: IngestionDeps, claimed: readonly QueuedDocument[]): Promise<void> {
  const byMemory = Map.groupBy(claimed, (document) => `${document.tenant_id} ${document.memory_id}`);
  // Who has few does not wait for who has many.
  for (const documents of [...byMemory.values()].sort((a, b) => a.length - b.length)) {
    const scope: MemoryScope = { tenantId: documents[0]!.tenant_id, memoryId: documents[0]!.memory_id };
    try {
      await processMemory(deps, scope, documents);
    } catch (error) {
      // When the database is gone nothing can be released: the leases run out.
      if (!isOfOneMemory(error)) throw error;
      deps.logger.warn(
        { err: error, memory_id: scope.memoryId },
        'ingestion: a memory is unavailable; retrying its documents while other memories are processed',
      );
      await retryWithoutAttempt(deps, scope, documents);
    }
  }
}

/** True for what keeps one memory or its tenant from being served, and not the database that others are in too. */
function isOfOneMemory(error: unknown): boolean {
  if (!isUnavailable(error) || isConnectionFailure(error)) return false;
  const { cause } = error as Error;
  return !isConnectionFailure(cause) && sqlState(cause) === undefined;
}

async function processMemory(
  deps: IngestionDeps,
  scope: MemoryScope,
  documents: readonly QueuedDocument[],
): Promise<void> {
  await processBatch(
    deps,
    scope,
    documents.filter((document) => document.attempts === 1),
  );
  // What was begun before may be what ended the process: it goes alone, and not for ever.
  for (const document of documents.filter(({ attempts }) => attempts > 1)) {
    if (document.attempts > CRASHES_MAX) await fail(deps, scope, document, CRASHING);
    else await processBatch(deps, scope, [document]);
  }
}

const CRASHING = {
  code: 'indexing_failed',
  message: 'The document could not be indexed after several tries. Send it again, or report it with its doc_id.',
};
