import type { Tx } from '@cairn/postgres';

/** What a table says to questions of a run, and the findings whose rows show it. */
export interface ComputedAnswer {
  questions: readonly string[];
  body: string;
  finding_ids: readonly string[];
}

/** Stores the computed answers of a run in place of those that it has. */
export async function storeComputedAnswers(
  tx: Tx,
  run: { tenantId: string; runId: string },
  answers: readonly ComputedAnswer[],
): Promise<void> {
  await tx.execute('DELETE FROM computed_answers WHERE run_id = $1', [run.runId]);
  for (const [position, { questions, body, finding_ids }] of answers.entries())
    await tx.execute(
      `INSERT INTO computed_answers (tenant_id, run_id, position, questions, body, finding_ids)
       VALUES ($1, $2, $3, $4::jsonb, $5, $6)`,
      [run.tenantId, run.runId, position, JSON.stringify(questions), body, finding_ids],
    );
}

export function readComputedAnswers(tx: Tx, runId: string): Promise<ComputedAnswer[]> {
  return tx.query<ComputedAnswer>(
    'SELECT questions, body, finding_ids FROM computed_answers WHERE run_id = $1 ORDER BY position',
    [runId],
  );
}
