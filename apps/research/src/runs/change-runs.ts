import type { continueListSearch, respondToResearch, stopRun } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { ENDED, endRun, extendRun, findRun, type LedgerStatus, lockRun } from '@cairn/ledger';
import { type Database, idempotent } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { onEnd } from './on-end.ts';
import { openQuestionOf } from './open-question.ts';
import { keepAnswer } from './screened.ts';
import { findRecord, type RunRecord, statusOf } from './run-record.ts';

interface Parts {
  database: Database;
}

/** Raises the target of a people or company search; one that had ended goes on from where it was. */
export async function continueSearch(
  { database }: Parts,
  call: Call<typeof continueListSearch>,
): Promise<JsonAnswer<typeof continueListSearch>> {
  const { thread_id, total_target } = call.body;
  const { tenantId } = call.identity;
  return database.withTenant(tenantId, async (tx) => {
    const answer = await idempotent(
      tx,
      { caller: call.identity, operation: 'continueListSearch', key: call.idempotencyKey, request: call.body },
      async () => {
        const run = await lockRun(tx, thread_id);
        const record = await findRecord(tx, thread_id);
        if (run === null || record === null || (record.kind !== 'people' && record.kind !== 'company'))
          throw notFound('The search');
        const [{ records }] = (await tx.query<{ records: number }>('SELECT records FROM lists WHERE list_id = $1', [
          record.list_id,
        ])) as [{ records: number }];
        const hasEnded = ENDED.includes(run.status);
        const reached = hasEnded ? records : Math.max(records, record.total_target ?? 0);
        if (total_target <= reached)
          throw new CairnError('conflict', `The target must be above ${reached}, which is there already.`);
        assertContinuable(run.status, record);
        const leg = hasEnded ? Number(run.input['leg'] ?? 0) + 1 : Number(run.input['leg'] ?? 0);
        await extendRun(tx, run, { ...run.input, total_target, leg }, [
          { type: 'run.queued', data: { kind: record.kind, prompt: record.prompt, total_target } },
        ]);
        await tx.execute('UPDATE research_runs SET total_target = $2 WHERE run_id = $1', [thread_id, total_target]);
        await tx.execute(`UPDATE lists SET list_status = 'building' WHERE list_id = $1`, [record.list_id]);
        const now = await findRun(tx, thread_id);
        return { status: 200, body: { success: true, thread_id, status: statusOf(now!) } };
      },
    );
    return { body: answer.body as never, replayed: answer.replayed };
  });
}

/** What ended without a result, was given its charge back, or has forgotten what it read, has nothing to go on from. */
function assertContinuable(status: LedgerStatus, record: RunRecord): void {
  const why =
    status === 'failed' || status === 'expired'
      ? `The search is ${status}.`
      : record.charge_state === 'releasing' || record.charge_state === 'released'
        ? 'The search was stopped before it began, and its charge was given back.'
        : record.texts_forgotten_at !== null
          ? 'The search ended too long ago: what it had read is not kept any more.'
          : null;
  if (why !== null) throw new CairnError('conflict', `${why} Start a new one.`);
}

/** Ends a run now; its rows and findings stay. A run that has ended already is left as it is. */
export async function stop({ database }: Parts, call: Call<typeof stopRun>): Promise<JsonAnswer<typeof stopRun>> {
  const { thread_id } = call.params;
  return database.withTenant(call.identity.tenantId, async (tx) => {
    const run = await lockRun(tx, thread_id);
    if (run === null) throw notFound('The run');
    await cancelRun(tx, run);
    const now = (await findRun(tx, thread_id))!;
    const message = now.status === 'cancelled' ? 'The run was stopped.' : `The run was ${now.status} before.`;
    return { body: { success: true, thread_id, status: statusOf(now), message } };
  });
}

/** The run's row must be held by the transaction. */
export function cancelRun(...[tx, run]: [Parameters<typeof endRun>[0], Parameters<typeof endRun>[1]]) {
  return endRun(tx, run, { status: 'cancelled', event: { type: 'run.cancelled', data: {} } }, onEnd);
}

/** Answers the open question of a run. */
export async function respond(
  { database }: Parts,
  call: Call<typeof respondToResearch>,
): Promise<JsonAnswer<typeof respondToResearch>> {
  const { thread_id } = call.params;
  const { tenantId } = call.identity;
  return database.withTenant(tenantId, async (tx) => {
    const answer = await idempotent(
      tx,
      {
        caller: call.identity,
        operation: 'respondToResearch',
        key: call.idempotencyKey,
        request: { ...call.query, thread_id },
      },
      async () => {
        const asking = await lockRun(tx, thread_id);
        if (asking === null) throw notFound('The run');
        const question = await openQuestionOf(tx, thread_id);
        if (question === null) throw new CairnError('conflict', 'The run asks nothing at the moment.');
        const { question_id: questionId } = question;
        await keepAnswer(tx, asking, { threadId: thread_id, questionId, answer: call.query.response });
        const run = (await findRun(tx, thread_id))!;
        return { status: 200, body: { status: statusOf(run), message: 'The answer was taken; the run goes on.' } };
      },
    );
    return { body: answer.body as never, replayed: answer.replayed };
  });
}
