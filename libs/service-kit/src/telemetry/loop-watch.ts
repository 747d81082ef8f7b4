import inspector from 'node:inspector';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { CairnError } from '@cairn/errors';
import { LoopCells } from './loop-cells.ts';
import type { Running } from '../running.ts';
import type { Logger } from './logging.ts';

const TICK_MS = 100;
/** A stall of this length is logged. */
const NOTED_FROM_MS = 1_000;
/** After one of this length the process is not ready for a while: what waited meanwhile is to be done first. */
const NOT_READY_FROM_MS = 2_000;
const CATCHING_UP_MS = 5_000;
/** Ticks that the mean lateness is of, about. */
const LATENESS_TICKS = 8;

/** Of a response to the gateway: how late the event loop of the service is, in milliseconds, when it is late at all. */
export const LOOP_DELAY_HEADER = 'x-cairn-lateness';

// A process has one event loop, so that this is not a part that a service constructs.
const cells = new LoopCells();
let notReadyUntil = 0;
let meanLatenessMs = 0;

/** Says what the process begins to do, for the log of a stall. No secrets: it is an operation's id or a run's. */
export function labelWork(label: string): void {
  cells.work = label;
}

/** Throws `unavailable` for a while after the event loop stood still for long. */
export function assertResponsive(): void {
  if (performance.now() < notReadyUntil)
    throw new CairnError('unavailable', 'The service is catching up.', { retryAfterSeconds: CATCHING_UP_MS / 1_000 });
}

/** How late the event loop was on average over the last second. */
export function loopDelayMs(): number {
  return Math.round(meanLatenessMs);
}

/**
 * Watches the event loop of this process. A stall is logged while it lasts, from a thread, with what was begun last; one
 * that is longer than `stallMaxMs` ends the process, so that whoever supervises it starts it again. 0, or a debugger,
 * switches it off.
 */
export function watchEventLoop(logger: Logger, stallMaxMs: number): Running {
  if (stallMaxMs === 0 || inspector.url() !== undefined) return { close: () => Promise.resolve() };
  const thread = new Worker(new URL('./loop-watch-thread.ts', import.meta.url), {
    workerData: {
      memory: cells.memory,
      notedFromMs: Math.min(NOTED_FROM_MS, stallMaxMs / 2),
      stallMaxMs,
      bindings: logger.bindings(),
      logsWarnings: logger.isLevelEnabled('warn'),
    },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4, stackSizeMb: 1 },
  });
  thread.unref();
  thread.on('error', (error) =>
    logger.error({ err: error }, 'event loop: the watchdog failed; stalls are no longer detected'),
  );
  let lastTick = performance.now();
  const timer = setInterval(() => {
    cells.tick();
    const stalledMs = Math.round(performance.now() - lastTick - TICK_MS);
    lastTick = performance.now();
    meanLatenessMs += (Math.max(0, stalledMs) - meanLatenessMs) / LATENESS_TICKS;
    if (stalledMs >= NOT_READY_FROM_MS) notReadyUntil = lastTick + CATCHING_UP_MS;
    if (stalledMs >= NOTED_FROM_MS) logger.warn({ stalled_ms: stalledMs }, 'event loop: running again after a stall');
  }, TICK_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await thread.terminate();
    },
  };
}
