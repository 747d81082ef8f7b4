import { newId } from '@cairn/contracts';
import type { NewEvent } from '../ledger/run.ts';
import type { Tx } from '@cairn/postgres';

/** A quote of a source: `body.slice(start_at, start_at + quote.length)` is the quote. */
interface FindingRecord {
  finding_id: string;
  source_id: string;
  start_at: number;
  quote: string;
  /** The question that it answers best. */
  topic: string;
  score: number;
  /** All questions that it helps to answer, best first; none when it only takes a side in a disagreement. */
  answers: { question: string; score: number }[];
  /** The time that its document is of, as it is written there; null when it names none, or the quote says its own. */
  as_of: string | null;
  /** A newer source says otherwise. */
  is_old: boolean;
}

export type NewFinding = Omit<FindingRecord, 'finding_id'> & { title: string };

/**
 * Stores findings, each position once; what is known of a position already is replaced. Returns the events of those
 * that are new.
 */
export async function storeFindings(
  tx: Tx,
  run: { tenantId: string; runId: string },
  findings: readonly NewFinding[],
): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const finding of findings) {
    const { source_id, quote, start_at: start, topic, title, answers } = finding;
    const [stored] = await tx.query<{ finding_id: string; added: boolean }>(
      `INSERT INTO findings (tenant_id, run_id, finding_id, source_id, start_at, quote, topic, score, answers, as_of, is_old)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11)
       ON CONFLICT (run_id, source_id, start_at) DO UPDATE SET quote = EXCLUDED.quote, topic = EXCLUDED.topic,
         score = EXCLUDED.score, answers = EXCLUDED.answers, as_of = EXCLUDED.as_of, is_old = EXCLUDED.is_old
       RETURNING finding_id, xmax = 0 AS added`,
      [
        run.tenantId,
        run.runId,
        newId('finding'),
        source_id,
        start,
        quote,
        topic,
        finding.score,
        JSON.stringify(answers),
        finding.as_of,
        finding.is_old,
      ],
    );
    if (stored?.added !== true) continue;
    const questions = answers.map(({ question }) => question);
    const data = { finding_id: stored.finding_id, source_id, title, quote, start, topic, questions };
    events.push({ type: 'finding.added', data });
  }
  return events;
}

/**
 * Takes back what an earlier round noted of the findings: with more sources it is weighed again. What the new round does
 * not choose answers nothing, and nobody knows of it whether a newer source says otherwise, so no report may use it.
 */
export async function forgetAnswers(tx: Tx, runId: string): Promise<void> {
  await tx.execute(
    `UPDATE findings SET answers = '[]', topic = '', score = 0, is_old = false
      WHERE run_id = $1 AND (answers <> '[]' OR topic <> '')`,
    [runId],
  );
}

/** All findings of a run, in order of insertion. */
export async function readFindings(tx: Tx, runId: string): Promise<FindingRecord[]> {
  return tx.query<FindingRecord>(
    `SELECT finding_id, source_id, start_at, quote, topic, score, answers, as_of, is_old
       FROM findings WHERE run_id = $1 ORDER BY finding_id`,
    [runId],
  );
}
