import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { maskText } from '@cairn/screening';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import type { ThreadTextDeps } from './locate-thread.ts';
import { presentThread } from './present-thread.ts';
import { findThread, renameThread } from './thread-store.ts';

export async function updateThread(
  deps: ThreadTextDeps,
  context: RequestContext<typeof operations.updateThread>,
): Promise<JsonResponse<typeof operations.updateThread>> {
  const threadId = context.params.thread_id;
  const home = await deps.threads.locate(context, threadId);
  const { dlp_policy: policy } = await deps.settings.read(home, false);
  const title = context.body.title === undefined ? undefined : await maskText(context.body.title, policy);
  const row = await deps.engines.write(home, async ({ tx, closedVaults }) => {
    const before = await findThread(tx, threadId);
    if (before === null || closedVaults.has(before.vault_id)) return null;
    return title === undefined ? before : renameThread(tx, threadId, title);
  });
  if (row === null) throw notFound('The thread');
  return { body: presentThread(row) };
}
