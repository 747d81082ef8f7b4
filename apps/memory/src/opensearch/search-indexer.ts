import { setTimeout as sleep } from 'node:timers/promises';
import { inSlots, startLoop, timeSlice } from '@cairn/background';
import type { Database } from '@cairn/postgres';
import type { IndexChunk } from '@cairn/search-index';
import type { Running } from '@cairn/service-kit';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { chunkRecord } from './chunk-record.ts';
import { beginSend, endSend, shareSends } from './index-sends.ts';
import {
  changedMemories,
  clearChanges,
  hasChangesUpTo,
  lastChange,
  type SearchChange,
  takeChanges,
} from './search-changes.ts';
import type { ChunkChange, SearchCluster } from './search-cluster.ts';
import { clearIndexLag } from './search-placement.ts';
import { readIndexChunks } from './stored-chunks.ts';

interface IndexerDeps {
  database: Database;
  /** Connected as the worker role: sees whose changes wait. */
  workerDatabase: Database;
  cluster: SearchCluster;
  onError: (error: unknown) => void;
}

/** Brings what PostgreSQL has committed into the cluster: in the background once it was started, and when asked. */
export interface SearchIndexer extends Running {
  start(): void;
  /** There is something to send, as soon as the caller has committed. */
  wake(): void;
  /** Resolves when all changes of the memory that are committed now are findable. Throws `unavailable`. */
  publish(memory: MemoryScope): Promise<void>;
}

/** Each batch waits for a refresh, so that small ones would make a move of a large memory slow. */
const BATCH_CHANGES = 2_000;
/** Of the words of a batch; OpenSearch refuses requests of 100 MB. */
const BATCH_CHARS = 8_000_000;
const POLL_MS = 1_000;
/** Memories that are sent side by side. */
const MEMORIES_AT_ONCE = 4;
const RETRY_MS = 50;
/** Before a memory that failed is sent again in the background; several times as long as the failure took. */
const PAUSE_MS = 3_000;
const PAUSE_TIMES = 4;

export function createSearchIndexer(deps: IndexerDeps): SearchIndexer {
  const sending = new Map<string, Promise<number>>();
  const pausedUntil = new Map<string, number>();
  const keyOf = ({ tenantId, memoryId }: MemoryScope) => `${tenantId}/${memoryId}`;
  /** One batch of one memory at a time in this process; another process may send the same, and loses nothing by it. */
  const sendSome = (memory: MemoryScope): Promise<number> => {
    const key = keyOf(memory);
    const running = sending.get(key) ?? sendBatch(deps, memory).finally(() => sending.delete(key));
    sending.set(key, running);
    return running;
  };
  let loop: ReturnType<typeof startLoop> | null = null;
  const sendAll = async (signal: AbortSignal) => {
    const memories = await deps.workerDatabase.transaction(changedMemories);
    if (memories.length === 0) return false;
    await deps.cluster.prepare();
    const failures: unknown[] = [];
    let done = 0;
    await inSlots(memories, MEMORIES_AT_ONCE, async (memory) => {
      if (signal.aborted || (pausedUntil.get(keyOf(memory)) ?? 0) > performance.now()) return;
      const begunMs = performance.now();
      try {
        done += await sendSome(memory);
        pausedUntil.delete(keyOf(memory));
      } catch (error) {
        const nowMs = performance.now();
        pausedUntil.set(keyOf(memory), nowMs + Math.max(PAUSE_MS, PAUSE_TIMES * (nowMs - begunMs)));
        failures.push(error);
      }
    });
    // Thrown last: a memory whose shard is away keeps none from being sent.
    if (failures.length > 0) throw failures[0];
    return done > 0;
  };
  return {
    start() {
      loop ??= startLoop({ work: sendAll, pollMs: POLL_MS, onError: deps.onError });
    },
    wake: () => loop?.wake(),
    async publish(memory) {
      const last = await deps.database.withTenant(memory.tenantId, (tx) => lastChange(tx, memory));
      if (last === null) return;
      const isPending = () => deps.database.withTenant(memory.tenantId, (tx) => hasChangesUpTo(tx, memory, last));
      while (await isPending()) if ((await sendSome(memory)) === 0) await sleep(RETRY_MS);
    },
    close: async () => loop?.close(),
  };
}

/** Sends the oldest changes of a memory; returns how many of them are done. */
async function sendBatch({ database, cluster }: IndexerDeps, memory: MemoryScope): Promise<number> {
  // Fails here while the cluster is away, and not once it may have been asked.
  await cluster.prepare();
  const begun = await database.withTenant(memory.tenantId, async (tx) => {
    await shareSends(tx, memory);
    const taken = await takeChanges(tx, memory, BATCH_CHANGES);
    return taken === null ? null : { ...taken, sendNo: await beginSend(tx, memory) };
  });
  if (begun === null) return 0;
  const { version, changes, sendNo } = begun;
  const chunkIds = [...new Set(changes.map((change) => change.chunkId))];
  const chunks = await database.withTenant(memory.tenantId, (tx) => readIndexChunks(tx, memory, chunkIds));
  const records = await recordsOf(memory, chunkIds, chunks);
  const outdated = await cluster.write(memory, version, records);
  // What another process wrote under a later version is not known to be what it is now: it stays, for another turn.
  const written = new Set(records.flatMap(({ chunkId }) => (outdated.has(chunkId) ? [] : [chunkId])));
  const done = changes.filter((change: SearchChange) => written.has(change.chunkId));
  const changeNos = done.map((change) => change.changeNo);
  await database.withTenant(memory.tenantId, async (tx) => {
    await clearChanges(tx, memory, changeNos);
    await endSend(tx, memory, sendNo);
  });
  // By itself: who moves the memory holds its placement, and waits for what was just committed.
  await database.withTenant(memory.tenantId, (tx) => clearIndexLag(tx, memory));
  return done.length;
}

/** As many of the chunks as one request may carry, at least one. */
async function recordsOf(
  memory: MemoryScope,
  chunkIds: readonly string[],
  chunks: ReadonlyMap<string, IndexChunk>,
): Promise<ChunkChange[]> {
  const records: ChunkChange[] = [];
  const slice = timeSlice();
  let chars = 0;
  for (const chunkId of chunkIds) {
    const chunk = chunks.get(chunkId);
    const record = chunk === undefined ? null : chunkRecord(memory, chunk);
    records.push({ chunkId, record });
    chars += record === null ? 0 : record.words.reduce((sum, words) => sum + words.length, 0);
    if (chars > BATCH_CHARS) break;
    if (slice.isOver) await slice.yieldToEventLoop();
  }
  return records;
}
