import { encodeEvent } from '@cairn/contracts';
import { appendToOutbox, type Tx } from '@cairn/postgres';
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
  await appendToOutbox(tx, encodeEvent('memoryChanged', memoryEventScope(memory, livemode), { status: 'deleting' }));
  return row;
}
