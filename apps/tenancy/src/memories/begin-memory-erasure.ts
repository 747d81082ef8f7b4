import { encodeEvent, type KeysTenancyService, type MemoryStoreService } from '@cairn/contracts';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import type { Logger, RpcClient } from '@cairn/service-kit';
import { startJob } from '../jobs/job-store.ts';
import { changeMemory, type MemoryRow } from './memory-store.ts';

/** What is needed to close a memory at once, before its erasure begins. */
export interface ClosingParts {
  memoryStore: RpcClient<typeof MemoryStoreService>;
  keys: RpcClient<typeof KeysTenancyService>;
  logger: Logger;
}

/** Marks the memory as being deleted and plans its erasure, in the caller's transaction. Repeats do nothing. */
export async function beginMemoryErasure(tx: Tx, memory: MemoryRow, livemode: boolean): Promise<MemoryRow> {
  if (memory.status === 'deleting') return memory;
  const row = await changeMemory(tx, memory.memory_id, { ...memory, status: 'deleting', status_reason: null });
  await startJob(tx, {
    tenantId: memory.tenant_id,
    kind: 'eraseMemory',
    subjectId: memory.memory_id,
    detail: { livemode },
  });
  await appendToOutbox(tx, encodeEvent('memoryChanged', scopeOf(memory, livemode), { status: 'deleting' }));
  return row;
}

export function scopeOf(memory: MemoryRow, livemode: boolean) {
  return { tenantId: memory.tenant_id, livemode, workspaceId: memory.workspace_id, memoryId: memory.memory_id };
}

const CLOSE_TIMEOUT_MS = 3_000;
/** What is not closed by then is closed by the erasure, so that a workspace of thousands is answered in time. */
const CLOSE_ALL_MS = 10_000;
const CLOSED_AT_ONCE = 25;

/**
 * Closes memories and the keys bound to them before the caller is answered, so that no replica serves them from what
 * it remembers. A part that cannot be asked now is asked again by the erasure.
 */
export async function closeMemories(
  parts: ClosingParts,
  memories: readonly Pick<MemoryRow, 'tenant_id' | 'memory_id' | 'engine_id'>[],
  signal: AbortSignal,
): Promise<void> {
  const options = { signal, timeoutMs: CLOSE_TIMEOUT_MS };
  const untilMs = performance.now() + CLOSE_ALL_MS;
  for (let from = 0; from < memories.length && performance.now() < untilMs; from += CLOSED_AT_ONCE)
    await closeSome(parts, memories.slice(from, from + CLOSED_AT_ONCE), options);
}

async function closeSome(
  parts: ClosingParts,
  memories: readonly Pick<MemoryRow, 'tenant_id' | 'memory_id' | 'engine_id'>[],
  options: { signal: AbortSignal; timeoutMs: number },
): Promise<void> {
  await Promise.all(
    memories.map(async ({ tenant_id: tenantId, memory_id: memoryId, engine_id: engineId }) => {
      const closed = await Promise.allSettled([
        parts.keys.eraseKeys({ tenantId, memoryId }, options),
        parts.memoryStore.closeScope({ scope: { engineId, tenantId, memoryId } }, options),
      ]);
      for (const result of closed) {
        if (result.status === 'rejected')
          parts.logger.warn({ err: result.reason, memory_id: memoryId }, 'a deleted memory is closed a little later');
      }
    }),
  );
}
