import { ENDED, type RunEventRow } from '../ledger/run.ts';
import { findRun, readEvents } from '../ledger/run-store.ts';
import type { Database } from '@cairn/postgres';

/** Most events that are read at once. */
export const LOG_BATCH_MAX = 200;

interface LogPage {
  events: readonly RunEventRow[];
  ended: boolean;
}

/** Reads logs of runs. Watchers who request the same page of a log at the same moment share one query. */
export interface LogReader {
  read(run: { tenantId: string; runId: string }, afterSeq: number): Promise<LogPage>;
}

export function createLogReader(database: Database): LogReader {
  // Only queries that have not started are shared: a running one may miss the event that woke the other watcher.
  const waiting = new Map<string, Promise<LogPage>>();
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
