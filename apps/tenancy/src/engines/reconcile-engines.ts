import type { MemoryStoreService } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import type { RpcClient } from '@cairn/service-kit';
import { listEngineRows } from '../stores/engine-store.ts';
import { listMoveJobs } from '../stores/job-store.ts';

interface ReconcileDeps {
  /** Connected as the worker role. */
  workerDatabase: Database;
  memoryStore: RpcClient<typeof MemoryStoreService>;
}

interface ReconciledEngine {
  engineId: string;
  unreachable: boolean;
  unknownMemoryIds: string[];
  erased: number;
  emptyMemoryIds: string[];
}

interface StoredMemory {
  tenantId: string;
  memoryId: string;
}

/** One call erases for two seconds; together they must end before the operator's command gives up. */
const ERASE_CALLS_MAX = 20;
const CALL_TIMEOUT_MS = 35_000;

/**
 * Compares what each engine holds with the register of memories. They differ after restores to different times: what
 * the register does not know is erased on request, and memories without documents are reported.
 */
export async function reconcileEngines(deps: ReconcileDeps, erase: boolean): Promise<ReconciledEngine[]> {
  const engines = await deps.workerDatabase.transaction(listEngineRows);
  const found: ReconciledEngine[] = [];
  for (const { engine_id: engineId } of engines) found.push(await reconcileEngine(deps, engineId, erase));
  return found;
}

async function reconcileEngine(deps: ReconcileDeps, engineId: string, erase: boolean): Promise<ReconciledEngine> {
  const stored = await listStored(deps, engineId).catch(() => null);
  if (stored === null) return { engineId, unreachable: true, unknownMemoryIds: [], erased: 0, emptyMemoryIds: [] };
  // After the engine, so that a memory that is created meanwhile is known.
  const registered = await deps.workerDatabase.transaction((tx) =>
    tx.query<{ memory_id: string; engine_id: string; status: string }>(
      'SELECT memory_id, engine_id, status FROM memories',
    ),
  );
  const here = registered.filter((memory) => memory.engine_id === engineId);
  // What moves is on two engines, and rightly so.
  const moving = await deps.workerDatabase.transaction((tx) => listMoveJobs(tx, null));
  const known = new Set([...here.map((memory) => memory.memory_id), ...moving.map((job) => job.subject_id)]);
  const unknown = stored.filter(({ memoryId }) => !known.has(memoryId));
  const storedIds = new Set(stored.map(({ memoryId }) => memoryId));
  let erased = 0;
  if (erase) for (const memory of unknown) if (await eraseUnknown(deps, engineId, memory)) erased += 1;
  return {
    engineId,
    unreachable: false,
    unknownMemoryIds: unknown.map(({ memoryId }) => memoryId),
    erased,
    emptyMemoryIds: here
      .filter(({ memory_id: memoryId, status }) => status === 'active' && !storedIds.has(memoryId))
      .map((memory) => memory.memory_id),
  };
}

async function listStored({ memoryStore }: ReconcileDeps, engineId: string): Promise<StoredMemory[]> {
  const all: StoredMemory[] = [];
  for (;;) {
    const page = await memoryStore.listStoredMemories(
      { engineId, afterMemoryId: all.at(-1)?.memoryId ?? '' },
      { timeoutMs: CALL_TIMEOUT_MS },
    );
    if (page.memories.length === 0) return all;
    all.push(...page.memories);
  }
}

/** True when nothing of it is left. */
async function eraseUnknown(
  { memoryStore }: ReconcileDeps,
  engineId: string,
  { tenantId, memoryId }: StoredMemory,
): Promise<boolean> {
  const scope = { engineId, tenantId, memoryId };
  await memoryStore.closeScope({ scope }, { timeoutMs: CALL_TIMEOUT_MS });
  for (let call = 0; call < ERASE_CALLS_MAX; call += 1)
    if ((await memoryStore.eraseScope({ scope }, { timeoutMs: CALL_TIMEOUT_MS })).finished) return true;
  return false;
}
