import type { MemoryRow } from '../stores/memory-store.ts';

/** The scope of an event about the memory. */
export function memoryEventScope(memory: MemoryRow, livemode: boolean) {
  return {
    tenantId: memory.tenant_id,
    livemode,
    workspaceId: memory.workspace_id,
    memoryId: memory.memory_id,
  };
}
