import type { startDeepSearch } from '@cairn/contracts';
import { notFound, validationFailed } from '@cairn/errors';
import { findRun } from '@cairn/ledger';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { pageUrl, socketUrl } from '../tickets.ts';
import { listNameOf } from './list-name.ts';
import { openQuestionOf } from './open-question.ts';
import { findRecord, statusOf } from './run-record.ts';
import { startRun, type StartParts } from './start-run.ts';
import { readOptions } from './read-options.ts';
import { keepAnswer } from './screened.ts';

/** Prepares a deep search; named again with its thread and list, it takes the prompt as the answer to its question. */
export async function startDeepSearchRun(
  parts: StartParts,
  call: Call<typeof startDeepSearch>,
): Promise<JsonAnswer<typeof startDeepSearch>> {
  const { prompt, llm_model, live_url, proxy, thread_id, list_id, memory_id, user } = call.body;
  if (thread_id !== undefined || list_id !== undefined) return answerQuestion(parts, call);
  const options = await readOptions(parts, call, call.body);
  return startRun(
    parts,
    call,
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
      held: true,
      list: { name: listNameOf(prompt), description: '', type: 'web' },
      totalTarget: null,
      options: { ...options, allow_clarification: true },
    },
    async (started) => ({
      success: true,
      thread_id: started.threadId,
      list_id: started.listId ?? '',
      websocket_url: await socketUrl(parts, started, true),
      live_url: live_url ? await pageUrl(parts, started) : '',
      workspace_id: started.workspaceId,
      status: 'awaiting_connection' as const,
    }),
  );
}

async function answerQuestion(
  parts: StartParts,
  call: Call<typeof startDeepSearch>,
): Promise<JsonAnswer<typeof startDeepSearch>> {
  const { thread_id, list_id, prompt } = call.body;
  if (thread_id === undefined || list_id === undefined)
    throw validationFailed([
      { path: thread_id === undefined ? 'thread_id' : 'list_id', message: 'belongs to the other: name both' },
    ]);
  const { tenantId, credentialId } = call.identity;
  const { record, run } = await parts.database.withTenant(tenantId, async (tx) => {
    const found = await findRecord(tx, thread_id);
    if (found === null || found.kind !== 'deep_search' || found.list_id !== list_id) throw notFound('The deep search');
    const question = await openQuestionOf(tx, thread_id);
    const active = (await findRun(tx, thread_id))!;
    if (question !== null)
      await keepAnswer(tx, active, { threadId: thread_id, questionId: question.question_id, answer: prompt });
    return { record: found, run: active };
  });
  const holder = { threadId: thread_id, credentialId };
  return {
    body: {
      success: true,
      thread_id,
      list_id,
      websocket_url: await socketUrl(parts, holder, run.status === 'held'),
      live_url: record.live_page ? await pageUrl(parts, holder) : '',
      workspace_id: record.workspace_id,
      status: statusOf(run),
    },
  };
}
