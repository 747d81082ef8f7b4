import type { Tx } from '@cairn/postgres';
import type { NewEvent } from '../ledger/run.ts';

/** Leaves out the events that the log of the run has already: several analyses of a run may leave out the same source. */
export async function withoutRecordedEvents(tx: Tx, runId: string, skipped: readonly NewEvent[]): Promise<NewEvent[]> {
  if (skipped.length === 0) return [];
  const ids = skipped.map(({ data }) => (data as { source_id: string }).source_id);
  const recorded = await tx.query<{ source_id: string }>(
    `SELECT data ->> 'source_id' AS source_id FROM run_events
      WHERE run_id = $1 AND type = 'source.skipped' AND data ->> 'source_id' = ANY($2)`,
    [runId, ids],
  );
  const known = new Set(recorded.map(({ source_id }) => source_id));
  return skipped.filter((_, at) => !known.has(ids[at]!));
}
