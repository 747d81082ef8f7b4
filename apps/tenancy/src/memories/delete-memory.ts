import type { deleteMemory } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { presentMemory } from '../present.ts';
import { beginMemoryErasure, type ClosingParts, closeMemories } from './begin-memory-erasure.ts';
import { lockMemory } from './memory-store.ts';

/** Deletes a memory: gone for callers when this answers, erased in the background. A repeat answers the same. */
export async function removeMemory(
  parts: { database: Database } & ClosingParts,
  call: Call<typeof deleteMemory>,
): Promise<JsonAnswer<typeof deleteMemory>> {
  const { tenantId, livemode } = call.identity;
  const row = await parts.database.withTenant(tenantId, async (tx) => {
    // The workspace before the memory: whoever deletes both locks in this order.
    await refusePrimary(tx, call.params.memory_id);
    const memory = await lockMemory(tx, call.params.memory_id);
    if (memory === null) throw notFound('The memory');
    return beginMemoryErasure(tx, memory, livemode);
  });
  await closeMemories(parts, [row], call.signal);
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
