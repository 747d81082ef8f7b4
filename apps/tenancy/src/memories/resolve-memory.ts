import { notFound } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { findMemory, type MemoryRow } from '../stores/memory-store.ts';
import { findDefaultWorkspace } from '../stores/workspace-store.ts';

/** The memory with the id, or, for an empty id, the default workspace's primary one. One that is being deleted is not found. */
export async function resolveMemory(tx: Tx, requestedId: string): Promise<MemoryRow> {
  const memoryId = requestedId === '' ? (await findDefaultWorkspace(tx))?.primary_memory_id : requestedId;
  const memory = memoryId === undefined || memoryId === null ? null : await findMemory(tx, memoryId);
  if (memory === null || memory.status === 'deleting') throw notFound('The memory');
  return memory;
}
