import { encodeEvent, encodeJournalEntry } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { appendAllToOutbox, type Tx } from '@cairn/postgres';
import { memoryEventScope } from '../memories/memory-event-scope.ts';
import { startJob } from '../stores/job-store.ts';
import { findMemory } from '../stores/memory-store.ts';
import { markSpaceDeleted } from '../stores/space-store.ts';
import { lockLiveSpace } from './lock-live-space.ts';

/** Marks the space as deleted and schedules its erasure, in the caller's transaction; returns what to close. */
export async function beginSpaceErasure(tx: Tx, spaceId: string, livemode: boolean) {
  const space = await lockLiveSpace(tx, spaceId);
  const memory = await findMemory(tx, space.memory_id);
  if (memory === null) throw notFound('The space');
  const { tenant_id: tenantId, memory_id: memoryId, engine_id: engineId } = memory;
  const vaultId = space.vault_id;
  await markSpaceDeleted(tx, spaceId);
  await startJob(tx, {
    tenantId,
    kind: 'eraseSpace',
    subjectId: spaceId,
    detail: { livemode, memoryId, engineId, vaultId },
  });
  await appendAllToOutbox(tx, [
    encodeEvent('spaceDeleted', memoryEventScope(memory, livemode), { spaceId, vaultId }),
    encodeJournalEntry('tenancy', tenantId, { case: 'spaceErasureBegun', value: { spaceId } }),
  ]);
  return { engineId, tenantId, memoryId, vaultId, spaceId };
}
