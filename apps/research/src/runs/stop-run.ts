import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { findRun, lockRun } from '../ledger/run-store.ts';
import { cancelRun } from './cancel-run.ts';
import { statusOf } from './run-record.ts';

/** Ends a run now; its rows and findings stay. A run that has ended is left unchanged. */
export async function stopRun(
  { database }: { database: Database },
  request: RequestContext<typeof operations.stopRun>,
): Promise<JsonResponse<typeof operations.stopRun>> {
  const { thread_id } = request.params;
  return database.withTenant(request.identity.tenantId, async (tx) => {
    const run = await lockRun(tx, thread_id);
    if (run === null) throw notFound('The run');
    await cancelRun(tx, run);
    const now = (await findRun(tx, thread_id))!;
    const message = now.status === 'cancelled' ? 'The run was stopped.' : `The run was already ${now.status}.`;
    return { body: { success: true, thread_id, status: statusOf(now), message } };
  });
}
