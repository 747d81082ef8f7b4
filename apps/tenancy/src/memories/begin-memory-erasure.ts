import { encodeEvent, encodeJournalEntry } from '@cairn/contracts';
import { appendAllToOutbox, type Tx } from '@cairn/postgres';
import { startJob } from '../stores/job-store.ts';
import { changeMemory, type MemoryRow } from '../stores/memory-store.ts';
import { memoryEventScope } from './memory-event-scope.ts';

/** Marks the memory as being deleted and schedules its erasure, in the caller's transaction. Idempotent. */
export async function beginMemoryErasure(tx: Tx, memory: MemoryRow, livemode: boolean): Promise<MemoryRow> {
  if (memory.status === 'deleting') return memory;
  const row = await changeMemory(tx, memory.memory_id, { ...memory, status: 'deleting', status_reason: null });
  await startJob(tx, {
    tenantId: memory.tenant_id,
    kind: 'eraseMemory',
    subjectId: memory.memory_id,
    detail: { livemode },
  });
  const { tenant_id: tenantId, memory_id: memoryId } = memory;
  await appendAllToOutbox(tx, [
    encodeEvent('memoryChanged', memoryEventScope(memory, livemode), { status: 'deleting' }),
    encodeJournalEntry('tenancy', tenantId, { case: 'memoryErasureBegun', value: { memoryId } }),
  ]);
  return row;
}
