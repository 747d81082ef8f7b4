import type * as operations from '@cairn/contracts';
import { CairnError, notFound, validationFailed } from '@cairn/errors';
import { findRun, lockRun } from '../ledger/run-store.ts';
import { idempotent } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { pageUrl, socketUrl } from './tickets.ts';
import { listNameOf } from './list-name.ts';
import { openQuestionOf } from './open-question.ts';
import { findRecord, statusOf } from './run-record.ts';
import { startRun, type StartDeps } from './start-run.ts';
import { readOptions } from './read-options.ts';
import { storeAnswer } from './screen-run-texts.ts';

/** Prepares a deep search. A request that names its thread and list answers the search's question instead. */
export async function startDeepSearch(
  deps: StartDeps,
  request: RequestContext<typeof operations.startDeepSearch>,
): Promise<JsonResponse<typeof operations.startDeepSearch>> {
  const { prompt, llm_model, live_url, proxy, start, thread_id, list_id, memory_id, user } = request.body;
  if (thread_id !== undefined || list_id !== undefined) return answerQuestion(deps, request);
  const options = await readOptions(deps, request, request.body);
  const held = start !== 'now';
  return startRun(
    deps,
    request,
    {
      kind: 'deep_search',
      operation: 'startDeepSearch',
      prompt,
      memoryId: memory_id,
      model: llm_model,
      proxy,
      livePage: live_url,
      user,
      serviceId: '',
      charge: 'research.run',
      held,
      list: { name: listNameOf(prompt), description: '', type: 'web' },
      totalTarget: null,
      options: { ...options, allow_clarification: true },
    },
    async (started) => ({
      success: true,
      thread_id: started.threadId,
      list_id: started.listId ?? '',
      websocket_url: await socketUrl(deps, started, held),
      live_url: live_url ? await pageUrl(deps, started) : '',
      workspace_id: started.workspaceId,
      status: held ? ('awaiting_connection' as const) : ('queued' as const),
    }),
  );
}

async function answerQuestion(
  deps: StartDeps,
  request: RequestContext<typeof operations.startDeepSearch>,
): Promise<JsonResponse<typeof operations.startDeepSearch>> {
  const { thread_id, list_id, prompt } = request.body;
  if (thread_id === undefined || list_id === undefined)
    throw validationFailed([
      { path: thread_id === undefined ? 'thread_id' : 'list_id', message: 'belongs to the other: name both' },
    ]);
  const { tenantId, credentialId } = request.identity;
  const { record, run, replayed } = await deps.database.withTenant(tenantId, async (tx) => {
    const found = await findRecord(tx, thread_id);
    if (found === null || found.kind !== 'deep_search') throw notFound('The deep search');
    if (found.list_id !== list_id)
      throw validationFailed([{ path: 'list_id', message: 'is not the list of this thread' }]);
    const answered = await idempotent(
      tx,
      {
        caller: request.identity,
        operation: 'startDeepSearch',
        key: request.idempotencyKey,
        request: request.body,
        memoryId: found.memory_id,
      },
      async () => {
        const asking = await lockRun(tx, thread_id);
        const question = await openQuestionOf(tx, thread_id);
        if (question === null) throw new CairnError('conflict', 'The deep search has no open question.');
        await storeAnswer(tx, asking, { threadId: thread_id, questionId: question.question_id, answer: prompt });
        return { status: 200, body: {} };
      },
    );
    return { record: found, run: (await findRun(tx, thread_id))!, replayed: answered.replayed };
  });
  const holder = { threadId: thread_id, credentialId };
  return {
    body: {
      success: true,
      thread_id,
      list_id,
      websocket_url: await socketUrl(deps, holder, run.status === 'held'),
      live_url: record.live_page ? await pageUrl(deps, holder) : '',
      workspace_id: record.workspace_id,
      status: statusOf(run),
    },
    replayed,
  };
}
