import type { RunContext } from '../ledger/run-context.ts';
import type { Tx } from '@cairn/postgres';
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
      commit: async (tx) => {
        await changeRecord(tx, context.runId, { stage, percent, ...changes });
        return [{ type: 'run.progress', data: { stage, percent, ...(await countsOf(tx, context.runId)) } }];
      },
    }),
  );
}

/** What a person who waits wants to know: how much was read, and what came of it. */
async function countsOf(tx: Tx, runId: string): Promise<{ documents: number; findings: number }> {
  const [counts] = await tx.query<{ documents: number; findings: number }>(
    `SELECT (SELECT count(*) FROM sources WHERE run_id = $1)::int AS documents,
            (SELECT count(*) FROM findings WHERE run_id = $1)::int AS findings`,
    [runId],
  );
  return counts!;
}
