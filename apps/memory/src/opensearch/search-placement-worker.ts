import { setTimeout as sleep } from 'node:timers/promises';
import { inSlots, startLoop } from '@cairn/background';
import type { Database, Tx } from '@cairn/postgres';
import type { SearchIndex } from '@cairn/search-index';
import type { Running } from '@cairn/service-kit';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { holdSends } from './index-sends.ts';
import { countChanges, firstChange, recordChanges } from './search-changes.ts';
import {
  lockPlacement,
  readPlacement,
  savePlacement,
  type SearchPlacement,
  unsettledMemories,
} from './search-placement.ts';
import { readIndexChunks } from './stored-chunks.ts';

interface MoverDeps {
  database: Database;
  /** Connected as the worker role: sees which memories move. */
  workerDatabase: Database;
  segments: SearchIndex;
  openSearch: SearchIndex;
  onError: (error: unknown) => void;
}

const POLL_MS = 1_000;
const MEMORIES_AT_ONCE = 4;
const MEMORIES_READ = 100;
/** Before a memory that failed, or whose last changes were not sent in time, is tried again. */
const PAUSE_MS = 30_000;
/** Chunks noted at once; no more while so many wait, so that new documents are not behind all the old ones. */
const NOTED_AT_ONCE = 1_000;
const WAITING_MAX = 2_000;
/** Beyond every id. */
const COPIED_ALL = '~';
/** Chunks that one transaction copies into segments. */
const COPIED_AT_ONCE = 300;
/** How long writers wait for the last changes to be sent, before the move lets them go on and tries later. */
const LAST_CHANGES_MS = 5_000;
const LAST_CHANGES_POLL_MS = 50;

/** Carries moves and rebuilds on, a step of each memory at a time. A step that a crash interrupts is done again. */
export function startSearchPlacementWorker(deps: MoverDeps): Running & { wake(): void } {
  const pausedUntil = new Map<string, number>();
  /** The oldest change that was not sent, of memories whose chunks have all been noted. */
  const unsent = new Map<string, string>();
  let after: MemoryScope | null = null;
  const loop = startLoop({
    work: async (signal) => {
      const memories = await deps.workerDatabase.transaction((tx) => unsettledMemories(tx, after, MEMORIES_READ));
      after = memories.length < MEMORIES_READ ? null : memories.at(-1)!;
      let moved = after !== null;
      const failures: unknown[] = [];
      await inSlots(memories, MEMORIES_AT_ONCE, async (memory) => {
        const key = `${memory.tenantId}/${memory.memoryId}`;
        if (signal.aborted || (pausedUntil.get(key) ?? 0) > performance.now()) return;
        pausedUntil.delete(key);
        const oldest = await oldestOfLast(deps, memory);
        // Writers wait for the last changes only where those are being sent.
        const isMoving = oldest === null || ![undefined, oldest].includes(unsent.get(key));
        if (oldest === null) unsent.delete(key);
        else unsent.set(key, oldest);
        if (!isMoving) return;
        const step = await takeStep(deps, memory).catch((error: unknown) => {
          failures.push(error);
          return 'stuck' as const;
        });
        if (step === 'stuck') pausedUntil.set(key, performance.now() + PAUSE_MS);
        else moved ||= step;
      });
      // Thrown last: a memory that fails keeps none from moving.
      if (failures.length > 0) throw failures[0];
      return moved;
    },
    pollMs: POLL_MS,
    onError: deps.onError,
  });
  return { wake: () => loop.wake(), close: () => loop.close() };
}

/** The oldest change that was not sent, once all chunks of a memory were noted; otherwise null. */
async function oldestOfLast({ database }: MoverDeps, memory: MemoryScope): Promise<string | null> {
  return database.withTenant(memory.tenantId, async (tx) => {
    const placement = await readPlacement(tx, memory);
    return placement?.copiedTo === COPIED_ALL ? firstChange(tx, memory) : null;
  });
}

/** Whether something was done; `stuck`: there is something to do, and it cannot be done right now. */
type Step = boolean | 'stuck';

/** One step in one transaction. */
async function takeStep(deps: MoverDeps, memory: MemoryScope): Promise<Step> {
  if (await leaveCluster(deps, memory)) return true;
  return deps.database.withTenant(memory.tenantId, async (tx) => {
    const placement = await lockPlacement(tx, memory);
    if (placement === null) return false;
    if (placement.phase === 'leaving') return copyIntoSegments(deps, tx, memory, placement);
    if (placement.phase === 'segments') return false;
    if (placement.copiedTo !== null) return copyIntoCluster(tx, memory, placement);
    return placement.keepsSegments ? false : !(await deps.segments.drop(tx, memory));
  });
}

/** Notes the next chunks for the indexer; when all have been sent, the cluster answers. */
async function copyIntoCluster(tx: Tx, memory: MemoryScope, placement: SearchPlacement): Promise<Step> {
  if ((await countChanges(tx, memory, WAITING_MAX)) >= WAITING_MAX) return false;
  if (placement.copiedTo !== COPIED_ALL) {
    const ids = await nextChunks(tx, memory, placement.copiedTo!, NOTED_AT_ONCE);
    await recordChanges(tx, memory, ids);
    // What is written from now on is noted by who writes it.
    const copiedTo = ids.length < NOTED_AT_ONCE ? COPIED_ALL : ids.at(-1)!;
    await savePlacement(tx, memory, { ...placement, copiedTo });
    return true;
  }
  // Nobody writes meanwhile: we hold the placement.
  const until = Date.now() + LAST_CHANGES_MS;
  while ((await countChanges(tx, memory, 1)) > 0) {
    if (Date.now() > until) return 'stuck';
    await sleep(LAST_CHANGES_POLL_MS);
  }
  await savePlacement(tx, memory, { ...placement, phase: 'serving', copiedTo: null, isLost: false });
  return true;
}

/** Indexes the next chunks in segments; their rows are locked, so that a deletion comes before or after, not between. */
async function copyIntoSegments(
  { segments }: MoverDeps,
  tx: Tx,
  memory: MemoryScope,
  placement: SearchPlacement,
): Promise<boolean> {
  const ids = await nextChunks(tx, memory, placement.copiedTo!, COPIED_AT_ONCE, 'FOR SHARE');
  const chunks = await readIndexChunks(tx, memory, ids);
  // Some were written here since the move began.
  await segments.remove(tx, memory, ids);
  await segments.add(tx, memory, [...chunks.values()]);
  if (ids.length < COPIED_AT_ONCE)
    await savePlacement(tx, memory, { phase: 'segments', keepsSegments: false, copiedTo: '', isLost: false });
  else await savePlacement(tx, memory, { ...placement, copiedTo: ids.at(-1)! });
  return true;
}

/** Deletes from the cluster what moved away from it. Not under the lock, which writers would wait for. */
async function leaveCluster({ database, openSearch }: MoverDeps, memory: MemoryScope): Promise<boolean> {
  return database.withTenant(memory.tenantId, async (tx) => {
    if (!isLeft(await readPlacement(tx, memory))) return false;
    // Another process may have ended it while we waited.
    await holdSends(tx, memory);
    const placement = await readPlacement(tx, memory);
    if (!isLeft(placement)) return false;
    // A bounded part each time.
    if (!(await openSearch.drop(tx, memory))) return true;
    // A space that is erased meanwhile waits for this, as for what is removed from a memory in the cluster.
    if (!(await openSearch.expunged(tx, memory, new Date()))) return true;
    await savePlacement(tx, memory, { ...placement, copiedTo: null });
    return true;
  });
}

/** Whether the cluster has something of a memory that is not in it any more. */
function isLeft(placement: SearchPlacement | null): placement is SearchPlacement {
  return placement?.phase === 'segments' && placement.copiedTo !== null;
}

async function nextChunks(
  tx: Tx,
  { tenantId, memoryId }: MemoryScope,
  after: string,
  limit: number,
  lock: '' | 'FOR SHARE' = '',
): Promise<string[]> {
  const rows = await tx.query<{ chunk_id: string }>(
    `SELECT chunk_id FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id > $3
      ORDER BY chunk_id LIMIT $4 ${lock}`,
    [tenantId, memoryId, after, limit],
  );
  return rows.map((row) => row.chunk_id);
}
