import type { RunContext } from '../ledger/run-context.ts';
import { changeRecord, type RecordChanges } from '../runs/run-record.ts';

/** Records progress once, in the run's log and status. */
export function progress(
  context: RunContext,
  key: string,
  stage: string,
  percent: number,
  changes: RecordChanges = {},
): Promise<null> {
  return context.step(`progress/${key}`, () =>
    Promise.resolve({
      result: null,
      events: [{ type: 'run.progress', data: { stage, percent } }],
      commit: (tx) => changeRecord(tx, context.runId, { stage, percent, ...changes }),
    }),
  );
}
