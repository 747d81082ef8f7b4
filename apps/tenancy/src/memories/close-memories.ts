import type { KeysTenancyService, MemoryStoreService } from '@cairn/contracts';
import type { Logger, RpcClient } from '@cairn/service-kit';
import type { MemoryRow } from '../stores/memory-store.ts';

/** What is needed to close a memory or space at once, before its erasure begins. */
export interface CloseDeps {
  memoryStore: RpcClient<typeof MemoryStoreService>;
  keys: RpcClient<typeof KeysTenancyService>;
  logger: Logger;
}

interface CloseOptions {
  signal: AbortSignal;
  timeoutMs: number;
}

type ClosableMemory = Pick<MemoryRow, 'tenant_id' | 'memory_id' | 'engine_id'>;

export const CLOSE_TIMEOUT_MS = 3_000;
/** What is not closed by then is closed by the erasure, so that deleting a workspace of thousands responds in time. */
const CLOSE_ALL_MS = 10_000;
const CLOSE_CONCURRENCY = 25;

/**
 * Closes memories and the keys bound to them before the response, so that no replica serves them from its caches. A
 * service that cannot be reached now is asked again by the erasure.
 */
export async function closeMemories(
  deps: CloseDeps,
  memories: readonly ClosableMemory[],
  signal: AbortSignal,
): Promise<void> {
  const options = { signal, timeoutMs: CLOSE_TIMEOUT_MS };
  const deadlineMs = performance.now() + CLOSE_ALL_MS;
  for (let from = 0; from < memories.length && performance.now() < deadlineMs; from += CLOSE_CONCURRENCY) {
    const batch = memories.slice(from, from + CLOSE_CONCURRENCY);
    await Promise.all(batch.map((memory) => closeMemory(deps, memory, options)));
  }
}

async function closeMemory(deps: CloseDeps, memory: ClosableMemory, options: CloseOptions): Promise<void> {
  const { tenant_id: tenantId, memory_id: memoryId, engine_id: engineId } = memory;
  const results = await Promise.allSettled([
    deps.keys.eraseKeys({ tenantId, memoryId }, options),
    deps.memoryStore.closeScope({ scope: { engineId, tenantId, memoryId } }, options),
  ]);
  for (const result of results) {
    if (result.status === 'rejected')
      deps.logger.warn(
        { err: result.reason, memory_id: memoryId },
        'memories: closing a deleted memory failed; its erasure will close it',
      );
  }
}
