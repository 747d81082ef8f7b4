import { type createMemory, memorySettingsOf, type ResponseOf } from '@cairn/contracts';
import type { MemoryRow } from '../stores/memory-store.ts';

/** A memory as the API shows it. */
export function presentMemory(row: MemoryRow): ResponseOf<typeof createMemory> {
  return {
    memory_id: row.memory_id,
    workspace_id: row.workspace_id,
    display_name: row.display_name,
    type: row.type,
    status: row.status,
    status_reason: row.status_reason,
    memory_serial: row.memory_serial,
    subdomain: row.subdomain,
    ...memorySettingsOf(row),
    created_at: row.created_at.toISOString(),
  };
}
