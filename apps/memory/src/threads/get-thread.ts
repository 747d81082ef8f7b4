import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import type { ThreadDeps } from './locate-thread.ts';
import { presentThread } from './present-thread.ts';
import { findThread } from './thread-store.ts';

export async function getThread(
  deps: ThreadDeps,
  context: RequestContext<typeof operations.getThread>,
): Promise<JsonResponse<typeof operations.getThread>> {
  const threadId = context.params.thread_id;
  const home = await deps.threads.locate(context, threadId);
  const row = await deps.engines.read(home, async ({ tx, closedVaults }) => {
    const found = await findThread(tx, threadId);
    return found === null || closedVaults.has(found.vault_id) ? null : found;
  });
  if (row === null) throw notFound('The thread');
  return { body: presentThread(row) };
}
