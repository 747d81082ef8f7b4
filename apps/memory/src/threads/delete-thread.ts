import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { eraseResponsesNaming } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import type { ThreadDeps } from './locate-thread.ts';
import { deleteThreadRows, findThread } from './thread-store.ts';

/** Takes a conversation, its turns and the answers kept about them away in one transaction. */
export async function deleteThread(
  deps: ThreadDeps,
  context: RequestContext<typeof operations.deleteThread>,
): Promise<JsonResponse<typeof operations.deleteThread>> {
  const threadId = context.params.thread_id;
  const home = await deps.threads.locate(context, threadId);
  const gone = await deps.engines.write(home, async ({ tx, closedVaults }) => {
    const before = await findThread(tx, threadId);
    if (before === null || closedVaults.has(before.vault_id)) return false;
    const deleted = await deleteThreadRows(tx, threadId);
    // Only now: a turn that was being added has been waited for, and its answer is seen.
    const { tenantId, memoryId } = home;
    await eraseResponsesNaming(tx, { tenantId, memoryId, field: 'thread_id', ids: [threadId] });
    return deleted;
  });
  if (!gone) throw notFound('The thread');
  return { body: { thread_id: threadId, deleted: true } };
}
