import type { deleteThread, updateThread } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { eraseAnswersNaming } from '@cairn/postgres';
import { maskText } from '@cairn/screening';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { findHome, type ThreadParts } from './find-home.ts';
import { presentThread } from './present-thread.ts';
import { deleteThreadRows, findThread, renameThread } from './thread-store.ts';

export async function changeThread(
  parts: ThreadParts,
  call: Call<typeof updateThread>,
): Promise<JsonAnswer<typeof updateThread>> {
  const threadId = call.params.thread_id;
  const home = await findHome(parts, call, threadId);
  const title = call.body.title === undefined ? undefined : await maskText(call.body.title, home.dlpPolicy);
  const row = await parts.engines.write(home, async ({ tx, closedVaults }) => {
    const before = await findThread(tx, threadId);
    if (before === null || closedVaults.has(before.vault_id)) return null;
    return title === undefined ? before : renameThread(tx, threadId, title);
  });
  if (row === null) throw notFound('The thread');
  return { body: presentThread(row) };
}

/** Takes a conversation, its turns and the answers kept about them away in one transaction. */
export async function removeThread(
  parts: ThreadParts,
  call: Call<typeof deleteThread>,
): Promise<JsonAnswer<typeof deleteThread>> {
  const threadId = call.params.thread_id;
  const home = await findHome(parts, call, threadId);
  const gone = await parts.engines.write(home, async ({ tx, closedVaults }) => {
    const before = await findThread(tx, threadId);
    if (before === null || closedVaults.has(before.vault_id)) return false;
    const deleted = await deleteThreadRows(tx, threadId);
    // Only now: a turn that was being added has been waited for, and its answer is seen.
    const { tenantId, memoryId } = home;
    await eraseAnswersNaming(tx, { tenantId, memoryId, field: 'thread_id', ids: [threadId] });
    return deleted;
  });
  if (!gone) throw notFound('The thread');
  return { body: { thread_id: threadId, deleted: true } };
}
