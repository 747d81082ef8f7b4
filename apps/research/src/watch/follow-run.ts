import type { RunEventRow, RunFeed } from '@cairn/ledger';
import { LOG_BATCH_MAX, type LogReader } from './log-reader.ts';

/**
 * The log of a run from after `afterSeq`, each event once and in order, then what comes, until the run has ended and
 * all of it was given. Ends without an error when the signal aborts.
 */
export async function* followRun(
  parts: { log: LogReader; feed: RunFeed },
  run: { tenantId: string; runId: string; afterSeq: () => number },
  signal: AbortSignal,
): AsyncGenerator<RunEventRow> {
  let woken = true;
  let wake = () => undefined as void;
  const unfollow = parts.feed.follow(run.runId, () => {
    woken = true;
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    let given = run.afterSeq();
    while (!signal.aborted) {
      woken = false;
      const { events, ended } = await parts.log.read(run, given);
      for (const event of events) {
        if (signal.aborted) return;
        // The reader may have said meanwhile that it has more.
        if (event.seq <= run.afterSeq()) continue;
        yield event;
        given = event.seq;
      }
      given = Math.max(given, run.afterSeq());
      if (events.length === LOG_BATCH_MAX) continue;
      if (ended) return;
      if (!woken && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    unfollow();
  }
}
