import { setTimeout as sleep } from 'node:timers/promises';
import { startLoop } from '@cairn/background';
import type { Database, Tx } from '@cairn/postgres';
import type { Running } from '@cairn/service-kit';
import type { MemoryScope } from '../memories/memory-scope.ts';
import type { SearchIndex } from '../memories/search-index.ts';
import { countChanges, noteChanges } from './search-changes.ts';
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
/** Chunks noted at once; no more while so many wait, so that new documents are not behind all the old ones. */
const NOTED_AT_ONCE = 1_000;
const WAITING_MAX = 2_000;
/** Chunks that one transaction copies into segments. */
const COPIED_AT_ONCE = 300;
/** How long writers wait for the last changes to be sent, before the move lets them go on and tries later. */
const LAST_CHANGES_MS = 5_000;
const LAST_CHANGES_POLL_MS = 50;

/** Carries moves and rebuilds on, a step of each memory at a time. A step that a crash interrupts is done again. */
export function startSearchMover(deps: MoverDeps): Running & { wake(): void } {
  const loop = startLoop({
    work: async (signal) => {
      let moved = false;
      const failures: unknown[] = [];
      for (const memory of await deps.workerDatabase.transaction(unsettledMemories)) {
        if (signal.aborted) break;
        await takeStep(deps, memory).then(
          (did) => (moved ||= did),
          (error: unknown) => failures.push(error),
        );
      }
      // Thrown last: a memory that fails keeps none from moving.
      if (failures.length > 0) throw failures[0];
      return moved;
    },
    pollMs: POLL_MS,
    onError: deps.onError,
  });
  return { wake: () => loop.wake(), close: () => loop.close() };
}

/** One step in one transaction; false when there is nothing to do right now. */
async function takeStep(deps: MoverDeps, memory: MemoryScope): Promise<boolean> {
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
async function copyIntoCluster(tx: Tx, memory: MemoryScope, placement: SearchPlacement): Promise<boolean> {
  if ((await countChanges(tx, memory, WAITING_MAX)) >= WAITING_MAX) return false;
  const ids = await nextChunks(tx, memory, placement.copiedTo!, NOTED_AT_ONCE);
  if (ids.length > 0) {
    await noteChanges(tx, memory, ids);
    await savePlacement(tx, memory, { ...placement, copiedTo: ids.at(-1)! });
    return true;
  }
  // Nobody writes meanwhile: we hold the placement.
  const until = Date.now() + LAST_CHANGES_MS;
  while ((await countChanges(tx, memory, 1)) > 0) {
    if (Date.now() > until) return false;
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
  if (ids.length === 0) {
    await savePlacement(tx, memory, { phase: 'segments', keepsSegments: false, copiedTo: '', isLost: false });
    return true;
  }
  const chunks = await readIndexChunks(tx, memory, ids);
  // Some were written here since the move began.
  await segments.remove(tx, memory, ids);
  await segments.add(tx, memory, [...chunks.values()]);
  await savePlacement(tx, memory, { ...placement, copiedTo: ids.at(-1)! });
  return true;
}

/** Deletes from the cluster what moved away from it. Not under the lock, which writers would wait for. */
async function leaveCluster({ database, openSearch }: MoverDeps, memory: MemoryScope): Promise<boolean> {
  return database.withTenant(memory.tenantId, async (tx) => {
    const placement = await readPlacement(tx, memory);
    if (placement?.phase !== 'segments' || placement.copiedTo === null) return false;
    // A bounded part each time.
    if (!(await openSearch.drop(tx, memory))) return true;
    await savePlacement(tx, memory, { ...placement, copiedTo: null });
    return true;
  });
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
