import { countRows } from '../lists/list-store.ts';
import type * as operations from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { ENDED, type LedgerStatus } from '../ledger/run.ts';
import { extendRun, findRun, lockRun } from '../ledger/run-store.ts';
import { type Database, idempotent } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { announceRun } from './announce-run.ts';
import { findRecord, type RunRecord, statusOf } from './run-record.ts';

/** Raises the target of a people or company search. A search that had ended continues from where it was. */
export async function continueListSearch(
  { database }: { database: Database },
  request: RequestContext<typeof operations.continueListSearch>,
): Promise<JsonResponse<typeof operations.continueListSearch>> {
  const { thread_id, total_target } = request.body;
  const { tenantId } = request.identity;
  return database.withTenant(tenantId, async (tx) => {
    const response = await idempotent(
      tx,
      {
        caller: request.identity,
        operation: 'continueListSearch',
        key: request.idempotencyKey,
        request: request.body,
      },
      async () => {
        const run = await lockRun(tx, thread_id);
        const record = await findRecord(tx, thread_id);
        if (run === null || record === null || (record.kind !== 'people' && record.kind !== 'company'))
          throw notFound('The search');
        const records = await countRows(tx, record.list_id!);
        const hasEnded = ENDED.includes(run.status);
        const reached = hasEnded ? records : Math.max(records, record.total_target ?? 0);
        if (total_target <= reached)
          throw new CairnError('conflict', `The target must be above ${reached}, which has been reached already.`);
        assertContinuable(run.status, record);
        const continuation = hasEnded ? Number(run.input['leg'] ?? 0) + 1 : Number(run.input['leg'] ?? 0);
        await extendRun(tx, run, { ...run.input, total_target, leg: continuation }, [
          { type: 'run.queued', data: { kind: record.kind, prompt: record.prompt, total_target } },
        ]);
        await tx.execute('UPDATE research_runs SET total_target = $2 WHERE run_id = $1', [thread_id, total_target]);
        await tx.execute(`UPDATE lists SET list_status = 'building' WHERE list_id = $1`, [record.list_id]);
        if (hasEnded) await announceRun(tx, record, 'queued');
        const now = await findRun(tx, thread_id);
        return { status: 200, body: { success: true, thread_id, status: statusOf(now!) } };
      },
    );
    return { body: response.body as never, replayed: response.replayed };
  });
}

/** A run cannot continue when it ended without a result, its charge was released, or its texts have expired. */
function assertContinuable(status: LedgerStatus, record: RunRecord): void {
  const why =
    status === 'failed' || status === 'expired'
      ? `The search is ${status}.`
      : record.charge_state === 'releasing' || record.charge_state === 'released'
        ? 'The search was stopped before it started, and its charge was released.'
        : record.texts_forgotten_at !== null
          ? 'The search ended too long ago: its sources have expired.'
          : null;
  if (why !== null) throw new CairnError('conflict', `${why} Start a new one.`);
}
