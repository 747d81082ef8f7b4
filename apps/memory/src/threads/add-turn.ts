import { newId } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { idempotent } from '@cairn/postgres';
import { maskText } from '@cairn/screening';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import type { ThreadTextDeps } from './locate-thread.ts';
import { presentTurn } from './present-thread.ts';
import { appendTurns } from './thread-store.ts';
import { openThread } from './open-thread.ts';

/** Adds a turn at the end of a conversation. */
export async function addTurn(
  deps: ThreadTextDeps,
  context: RequestContext<typeof operations.addTurn>,
): Promise<JsonResponse<typeof operations.addTurn>> {
  const threadId = context.params.thread_id;
  const home = await deps.threads.locate(context, threadId);
  const { dlp_policy: policy } = await deps.settings.read(home, false);
  const content = await maskText(context.body.content, policy);
  const request = { ...context.body, thread_id: threadId };
  const response = await deps.engines.write(home, ({ tx, closedVaults }) =>
    idempotent(
      tx,
      { caller: context.identity, operation: 'addTurn', key: context.idempotencyKey, request, memoryId: home.memoryId },
      async () => {
        await openThread(tx, threadId, closedVaults);
        const turns = await appendTurns(tx, threadId, [{ turn_id: newId('turn'), ...context.body, content }]);
        if (turns === null) throw notFound('The thread');
        return { status: 201, body: presentTurn(turns[0]!) };
      },
    ),
  );
  return response as JsonResponse<typeof operations.addTurn>;
}
