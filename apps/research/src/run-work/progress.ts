import type { RunContext } from '@cairn/ledger';
import { changeRecord, type RecordChanges } from '../runs/run-record.ts';

/** Says once where the run is, in its log and in its status. */
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
