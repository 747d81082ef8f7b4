import type { Tx } from '@cairn/postgres';
import type { RunRow } from '../ledger/run.ts';
import { endRun } from '../ledger/run-store.ts';
import { onRunFinished } from './on-run-finished.ts';

/** Ends a run as cancelled, unless it has ended. The transaction must hold the lock of the run's row. */
export function cancelRun(tx: Tx, run: RunRow): Promise<boolean> {
  return endRun(tx, run, { status: 'cancelled', event: { type: 'run.cancelled', data: {} } }, onRunFinished);
}
