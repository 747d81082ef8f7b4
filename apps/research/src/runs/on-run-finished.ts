import type { EndStatus, RunRow } from '../ledger/run.ts';
import type { Tx } from '@cairn/postgres';
import { onStatusChanged } from './announce-run.ts';
import { deleteUploads } from '../sources/uploads.ts';

const LIST_STATUS: Readonly<Record<EndStatus, string>> = {
  completed: 'ready',
  failed: 'failed',
  cancelled: 'stopped',
  expired: 'stopped',
};

/**
 * Completes the end of a run in its transaction, whatever ends it: closes its list with the rows it has, and settles
 * its charge, or releases it when the run never started or failed before it found anything.
 */
export async function onRunFinished(tx: Tx, run: RunRow, status: EndStatus): Promise<void> {
  await tx.execute('UPDATE lists SET list_status = $2 WHERE run_id = $1', [run.run_id, LIST_STATUS[status]]);
  const foundNothing =
    status === 'failed' &&
    (
      await tx.query(
        `SELECT 1 WHERE EXISTS (SELECT FROM findings WHERE run_id = $1)
            OR EXISTS (SELECT FROM lists JOIN list_rows USING (list_id) WHERE lists.run_id = $1)`,
        [run.run_id],
      )
    ).length === 0;
  const isReleased = status === 'expired' || (status === 'cancelled' && run.started_at === null) || foundNothing;
  await tx.execute(
    `UPDATE research_runs SET charge_state = $2, charge_due_at = now()
      WHERE run_id = $1 AND charge_state = 'reserved'`,
    [run.run_id, isReleased ? 'releasing' : 'settling'],
  );
  // Without a result nothing quotes the reference files.
  if (status !== 'completed') await deleteUploads(tx, [run.run_id]);
  await tx.execute(
    `UPDATE research_runs SET stage = $2, percent = CASE WHEN $2 = 'completed' THEN 100 ELSE percent END
                     WHERE run_id = $1`,
    [run.run_id, status],
  );
  await onStatusChanged(tx, run, status);
}
