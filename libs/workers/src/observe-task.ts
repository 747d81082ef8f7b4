import { counter, durationHistogram, gauge } from '@cairn/telemetry';
import { WorkerFailure } from './worker-failure.ts';

const tasks = counter(
  'cairn_worker_tasks_total',
  'Tasks of worker processes, by what became of them; timed_out, out_of_memory and crashed ended a process.',
  ['pool', 'outcome'],
);
const durations = durationHistogram(
  'cairn_worker_task_duration_seconds',
  'Tasks of worker processes, without waiting.',
  ['pool'],
);
const waiting = gauge('cairn_worker_tasks_waiting', 'Tasks that wait for a worker process.', ['pool']);
const running = gauge('cairn_worker_tasks_running', 'Tasks that a worker process works on.', ['pool']);

/** Shows the counters of a pool before its first task: one that begins at 1 would look as if nothing had happened. */
export function prepareTaskMetrics(pool: string): void {
  for (const outcome of ['done', 'failed', 'timed_out', 'out_of_memory', 'crashed']) tasks.inc({ pool, outcome }, 0);
}

/** Counts and times one task: it waits, is started, and ends. */
export function beginTask(pool: string): { started(): void; ended(error?: unknown): void } {
  let startedMs: number | null = null;
  waiting.inc({ pool });
  return {
    started() {
      waiting.dec({ pool });
      running.inc({ pool });
      startedMs = performance.now();
    },
    ended(error) {
      if (startedMs === null) waiting.dec({ pool });
      else {
        running.dec({ pool });
        durations.observe({ pool }, (performance.now() - startedMs) / 1_000);
      }
      tasks.inc({ pool, outcome: outcomeOf(error) });
    },
  };
}

function outcomeOf(error: unknown): string {
  if (error === undefined) return 'done';
  return error instanceof WorkerFailure ? error.reason : 'failed';
}
