import { startLoop } from '@cairn/background';
import type { Database } from '@cairn/postgres';

/** Claims and does some work. Returns whether there may be more. The signal aborts when the workers are stopped. */
type Worker = (signal: AbortSignal) => Promise<boolean>;

interface WorkersOptions {
  database: Database;
  /** A notification on this channel wakes the workers. */
  channel: string;
  /** One function for each slot. The slots are independent: work that takes long occupies only its own. */
  workers: readonly Worker[];
  /** Work whose notification was lost is found after this time. A worker that failed pauses for as long. */
  pollMs: number;
  onError: (error: unknown) => void;
}

/** Works for as long as the service runs. Closing waits for the work in hand and claims nothing more. */
export async function startWorkers(options: WorkersOptions): Promise<{ close(): Promise<void> }> {
  const { pollMs, onError } = options;
  let loops: ReturnType<typeof startLoop>[] = [];
  const listener = await options.database.listen(options.channel, () => {
    for (const loop of loops) loop.wake();
  });
  loops = options.workers.map((work) => startLoop({ work, pollMs, onError, backoffMs: pollMs, backoffMaxMs: pollMs }));
  return {
    async close() {
      await Promise.all([listener.close(), ...loops.map((loop) => loop.close())]);
    },
  };
}
