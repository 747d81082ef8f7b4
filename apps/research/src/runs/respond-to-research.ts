import type * as operations from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { type Database, idempotent } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { findRun, lockRun } from '../ledger/run-store.ts';
import { openQuestionOf } from './open-question.ts';
import { statusOf } from './run-record.ts';
import { storeAnswer } from './screen-run-texts.ts';

/** Answers the open question of a run. */
export async function respondToResearch(
  { database }: { database: Database },
  request: RequestContext<typeof operations.respondToResearch>,
): Promise<JsonResponse<typeof operations.respondToResearch>> {
  const { thread_id } = request.params;
  const { tenantId } = request.identity;
  return database.withTenant(tenantId, async (tx) => {
    const response = await idempotent(
      tx,
      {
        caller: request.identity,
        operation: 'respondToResearch',
        key: request.idempotencyKey,
        request: { ...request.query, thread_id },
      },
      async () => {
        const asking = await lockRun(tx, thread_id);
        if (asking === null) throw notFound('The run');
        const question = await openQuestionOf(tx, thread_id);
        if (question === null) throw new CairnError('conflict', 'The run has no open question.');
        const { question_id: questionId } = question;
        await storeAnswer(tx, asking, { threadId: thread_id, questionId, answer: request.query.response });
        const run = (await findRun(tx, thread_id))!;
        return { status: 200, body: { status: statusOf(run), message: 'The answer was accepted; the run continues.' } };
      },
    );
    return { body: response.body as never, replayed: response.replayed };
  });
}
