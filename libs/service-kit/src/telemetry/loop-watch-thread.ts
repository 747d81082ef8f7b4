import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { LoopCells } from './loop-cells.ts';

// Watches the main thread of its process from a thread of its own, which runs when that one does not.

interface WatchData {
  memory: SharedArrayBuffer;
  notedFromMs: number;
  stallMaxMs: number;
  bindings: Record<string, unknown>;
  logsWarnings: boolean;
}

const LEVELS = { warn: 40, fatal: 60 };
const SLICES = 40;
const { memory, notedFromMs, stallMaxMs, bindings, logsWarnings } = workerData as WatchData;
const cells = new LoopCells(memory);
const sliceMs = Math.max(10, stallMaxMs / SLICES);

let seen = cells.ticks;
// Slices are counted rather than time: a process that was suspended has stood still with all its threads.
let stalledMs = 0;
let isNoted = false;
for (;;) {
  cells.wait(sliceMs);
  if (cells.ticks !== seen) {
    seen = cells.ticks;
    stalledMs = 0;
    isNoted = false;
    continue;
  }
  stalledMs += sliceMs;
  if (stalledMs >= notedFromMs && !isNoted) {
    isNoted = true;
    if (logsWarnings) log('warn', 'event loop: stalled');
  }
  if (stalledMs >= stallMaxMs) {
    log('fatal', 'event loop: stalled for too long; killing the process');
    process.kill(process.pid, 'SIGKILL');
  }
}

/** As the logger of the service writes it, which needs the main thread. */
function log(level: keyof typeof LEVELS, message: string): void {
  const record = { level: LEVELS[level], time: Date.now(), ...bindings, stalled_ms: Math.round(stalledMs) };
  try {
    writeSync(1, `${JSON.stringify({ ...record, last_work: cells.work, msg: message })}\n`);
  } catch {
    // A log that cannot be written must not keep the watchdog from its work.
  }
}
