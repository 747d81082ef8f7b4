import type { RunFeed } from '../ledger/feed.ts';
import type { RunEventRow } from '../ledger/run.ts';
import { LOG_BATCH_MAX, type LogReader } from './log-reader.ts';

/**
 * Yields the log of a run after `afterSeq`, each event once and in order, and then new events until the run has ended.
 * Returns without an error when the signal aborts.
 */
export async function* followRun(
  deps: { log: LogReader; feed: RunFeed },
  run: { tenantId: string; runId: string; afterSeq: () => number },
  signal: AbortSignal,
): AsyncGenerator<RunEventRow> {
  let woken = true;
  let wake = () => undefined as void;
  const unfollow = deps.feed.follow(run.runId, () => {
    woken = true;
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    let lastSeq = run.afterSeq();
    while (!signal.aborted) {
      woken = false;
      const { events, ended } = await deps.log.read(run, lastSeq);
      for (const event of events) {
        if (signal.aborted) return;
        // The client may have announced meanwhile that it has more.
        if (event.seq <= run.afterSeq()) continue;
        yield event;
        lastSeq = event.seq;
      }
      lastSeq = Math.max(lastSeq, run.afterSeq());
      if (events.length === LOG_BATCH_MAX) continue;
      if (ended) return;
      if (!woken && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    unfollow();
  }
}
