import type { Tx } from '@cairn/postgres';

interface OpenQuestion {
  question_id: string;
  question: string;
  default: string;
  choices?: string[];
  expires_at: string;
}

/** The question that a run is waiting on, or null. */
export async function openQuestionOf(tx: Tx, runId: string): Promise<OpenQuestion | null> {
  const rows = await tx.query<{ data: OpenQuestion }>(
    `SELECT asked.data FROM run_events asked JOIN runs USING (run_id)
      WHERE asked.run_id = $1 AND asked.type = 'clarification.requested'
        AND runs.status NOT IN ('completed', 'failed', 'cancelled', 'expired')
        AND NOT EXISTS (SELECT FROM run_messages WHERE run_id = $1 AND topic = asked.data ->> 'question_id')
        AND NOT EXISTS (SELECT FROM run_events answered
                         WHERE answered.run_id = $1 AND answered.type = 'clarification.answered'
                           AND answered.data ->> 'question_id' = asked.data ->> 'question_id')
      ORDER BY asked.seq DESC LIMIT 1`,
    [runId],
  );
  return rows[0]?.data ?? null;
}
