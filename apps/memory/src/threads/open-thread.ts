import { notFound } from '@cairn/errors';
import { type Tx } from '@cairn/postgres';
import { findThread, type ThreadRow } from './thread-store.ts';

export async function openThread(tx: Tx, threadId: string, closedVaults: ReadonlySet<string>): Promise<ThreadRow> {
  const thread = await findThread(tx, threadId);
  if (thread === null || closedVaults.has(thread.vault_id)) throw notFound('The thread');
  return thread;
}
