import { newId } from '@cairn/contracts';
import type { NewEvent } from '../ledger/run.ts';
import type { Tx } from '@cairn/postgres';

/** A quote of a source: `body.slice(start_at, start_at + quote.length)` is the quote. */
export interface FindingRecord {
  finding_id: string;
  source_id: string;
  start_at: number;
  quote: string;
  /** The question that it helps to answer. */
  topic: string;
  score: number;
}

/** Stores findings, each position once. Returns the events of those that are new. */
export async function storeFindings(
  tx: Tx,
  run: { tenantId: string; runId: string },
  findings: readonly (Omit<FindingRecord, 'finding_id'> & { title: string })[],
): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const finding of findings) {
    const findingId = newId('finding');
    const added = await tx.execute(
      `INSERT INTO findings (tenant_id, run_id, finding_id, source_id, start_at, quote, topic, score)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (run_id, source_id, start_at) DO NOTHING`,
      [
        run.tenantId,
        run.runId,
        findingId,
        finding.source_id,
        finding.start_at,
        finding.quote,
        finding.topic,
        finding.score,
      ],
    );
    if (added === 0) continue;
    const { source_id, quote, start_at: start, topic, title } = finding;
    events.push({ type: 'finding.added', data: { finding_id: findingId, source_id, title, quote, start, topic } });
  }
  return events;
}

/** All findings of a run, in order of insertion. */
export async function readFindings(tx: Tx, runId: string): Promise<FindingRecord[]> {
  return tx.query<FindingRecord>(
    'SELECT finding_id, source_id, start_at, quote, topic, score FROM findings WHERE run_id = $1 ORDER BY finding_id',
    [runId],
  );
}
