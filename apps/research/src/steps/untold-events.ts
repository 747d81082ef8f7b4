import type { Tx } from '@cairn/postgres';
import type { NewEvent } from '../ledger/run.ts';

/** Without what the run's log says already: several analyses of a run may leave out the same source. */
export async function untoldEvents(tx: Tx, runId: string, skipped: readonly NewEvent[]): Promise<NewEvent[]> {
  if (skipped.length === 0) return [];
  const ids = skipped.map(({ data }) => (data as { source_id: string }).source_id);
  const told = await tx.query<{ source_id: string }>(
    `SELECT data ->> 'source_id' AS source_id FROM run_events
      WHERE run_id = $1 AND type = 'source.skipped' AND data ->> 'source_id' = ANY($2)`,
    [runId, ids],
  );
  const known = new Set(told.map(({ source_id }) => source_id));
  return skipped.filter((_, at) => !known.has(ids[at]!));
}
