import type * as operations from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { lockMemory } from '../stores/memory-store.ts';
import { beginMemoryErasure } from './begin-memory-erasure.ts';
import { type CloseDeps, closeMemories } from './close-memories.ts';
import { presentMemory } from './present-memory.ts';

/** Deletes a memory: gone for callers when this returns, erased in the background. A repeat has the same response. */
export async function deleteMemory(
  deps: { database: Database } & CloseDeps,
  context: RequestContext<typeof operations.deleteMemory>,
): Promise<JsonResponse<typeof operations.deleteMemory>> {
  const { tenantId, livemode } = context.identity;
  const memoryId = context.params.memory_id;
  const row = await deps.database.withTenant(tenantId, async (tx) => {
    // The workspace before the memory: whoever deletes both locks in this order.
    await refusePrimary(tx, memoryId);
    const memory = await lockMemory(tx, memoryId);
    if (memory === null) throw notFound('The memory');
    return beginMemoryErasure(tx, memory, livemode);
  });
  await closeMemories(deps, [row], context.signal);
  return { body: presentMemory(row) };
}

async function refusePrimary(tx: Tx, memoryId: string): Promise<void> {
  const workspaces = await tx.query(
    'SELECT 1 FROM workspaces WHERE primary_memory_id = $1 AND deleted_at IS NULL FOR SHARE',
    [memoryId],
  );
  if (workspaces.length > 0)
    throw new CairnError('conflict', 'The primary memory of a workspace is deleted with its workspace.');
}
