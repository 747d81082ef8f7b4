import { newId } from '@cairn/contracts';
import type { NewEvent } from '../ledger/run.ts';
import type { Tx } from '@cairn/postgres';

/** A quote of a source: `body.slice(start_at, start_at + quote.length)` is the quote. */
export interface FindingRecord {
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
  // A statement cannot change one row twice.
  const byPlace = new Map(findings.map((finding) => [placeOf(finding), finding]));
  if (byPlace.size === 0) return [];
  const rows = [...byPlace.values()].map((finding) => ({ ...finding, finding_id: newId('finding') }));
  const stored = await tx.query<{ finding_id: string; source_id: string; start_at: number; added: boolean }>(
    `INSERT INTO findings (tenant_id, run_id, finding_id, source_id, start_at, quote, topic, score, answers, as_of, is_old)
     SELECT $1, $2, finding_id, source_id, start_at, quote, topic, score, answers, as_of, is_old
       FROM jsonb_to_recordset($3::jsonb) AS finding (finding_id text, source_id text, start_at int, quote text,
            topic text, score float8, answers jsonb, as_of text, is_old boolean)
     ON CONFLICT (run_id, source_id, start_at) DO UPDATE SET quote = EXCLUDED.quote, topic = EXCLUDED.topic,
       score = EXCLUDED.score, answers = EXCLUDED.answers, as_of = EXCLUDED.as_of, is_old = EXCLUDED.is_old
     RETURNING finding_id, source_id, start_at, xmax = 0 AS added`,
    [run.tenantId, run.runId, JSON.stringify(rows)],
  );
  const added = new Map(stored.filter((one) => one.added).map((one) => [placeOf(one), one.finding_id]));
  return [...byPlace].flatMap(([place, { source_id, title, quote, start_at: start, topic, answers }]) => {
    const finding_id = added.get(place);
    if (finding_id === undefined) return [];
    const questions = answers.map(({ question }) => question);
    return [{ type: 'finding.added', data: { finding_id, source_id, title, quote, start, topic, questions } }];
  });
}

/**
 * Takes back what an earlier round noted of the findings: with more sources it is weighed again. What the new round does
 * not choose answers nothing, and nobody knows of it whether a newer source says otherwise, so no report may use it.
 */
export async function clearAnswers(tx: Tx, runId: string): Promise<void> {
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

/** By what findings of a run are known: a source has one finding at a place. */
export function placeOf({ source_id, start_at }: { source_id: string; start_at: number }): string {
  return `${source_id}/${start_at}`;
}

/** The ids of a run's findings by their places. */
export async function findingIds(tx: Tx, runId: string): Promise<Map<string, string>> {
  const stored = await tx.query<{ finding_id: string; source_id: string; start_at: number }>(
    'SELECT finding_id, source_id, start_at FROM findings WHERE run_id = $1',
    [runId],
  );
  return new Map(stored.map((finding) => [placeOf(finding), finding.finding_id]));
}
