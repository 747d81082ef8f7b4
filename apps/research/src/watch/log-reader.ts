import { ENDED, findRun, readEvents, type RunEventRow } from '@cairn/ledger';
import type { Database } from '@cairn/postgres';

/** Longest piece of a log that is read at once. */
export const LOG_BATCH_MAX = 200;

export interface LogPiece {
  events: readonly RunEventRow[];
  ended: boolean;
}

/** Reads logs of runs. Watchers of one run who ask at the same moment for the same piece are given one reading of it. */
export interface LogReader {
  read(run: { tenantId: string; runId: string }, afterSeq: number): Promise<LogPiece>;
}

export function createLogReader(database: Database): LogReader {
  // Only readings that have not begun are shared: one that has may miss what the other was woken for.
  const waiting = new Map<string, Promise<LogPiece>>();
  const readNow = ({ tenantId, runId }: { tenantId: string; runId: string }, afterSeq: number) =>
    database.withTenant(
      tenantId,
      async (tx) => ({
        events: await readEvents(tx, runId, afterSeq, LOG_BATCH_MAX),
        ended: ENDED.includes((await findRun(tx, runId))?.status ?? 'expired'),
      }),
      { mode: 'snapshot' },
    );
  return {
    read(run, afterSeq) {
      const key = `${run.tenantId} ${run.runId} ${afterSeq}`;
      const shared = waiting.get(key);
      if (shared !== undefined) return shared;
      const reading = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        waiting.delete(key);
        return readNow(run, afterSeq);
      });
      waiting.set(key, reading);
      return reading;
    },
  };
}
