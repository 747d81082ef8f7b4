import { startLoop } from '@cairn/background';
import type { Database } from '@cairn/postgres';

/** Claims and does some work. Returns whether there may be more. The signal aborts when the workers are stopped. */
type Work = (signal: AbortSignal) => Promise<boolean>;

/** Slots that claim from the same rows. They are independent: work that takes long occupies only its own slot. */
interface Lane {
  slots: number;
  work: Work;
}

interface WorkersOptions {
  database: Database;
  /** A notification on this channel wakes the workers. */
  channel: string;
  lanes: readonly Lane[];
  /**
   * Work whose notification was lost, or that has become due since, is found after this time, while a slot of its lane is
   * idle. If there is much of it, all idle slots are at work after the next poll.
   */
  pollMs: number;
  /** How long a slot whose work failed pauses. */
  failurePauseMs: number;
  onError: (error: unknown) => void;
}

/** Longer than a process lives: an idle slot is woken by a notification or by the poll of its lane. */
const UNTIL_WOKEN_MS = 2 ** 31 - 1;

/** Works for as long as the service runs. Closing waits for the work in hand and claims nothing more. */
export async function startWorkers(options: WorkersOptions): Promise<{ close(): Promise<void> }> {
  let lanes: ReturnType<typeof startLane>[] = [];
  const listener = await options.database.listen(options.channel, () => {
    for (const lane of lanes) lane.wake();
  });
  lanes = options.lanes.map((lane) => startLane(lane, options));
  return {
    async close() {
      await Promise.all([listener.close(), ...lanes.map((lane) => lane.close())]);
    },
  };
}

/** One idle slot polls for all of its lane: a claim by each of them would find the same nothing. */
function startLane({ slots, work }: Lane, { pollMs, failurePauseMs, onError }: WorkersOptions) {
  /** The slots that found nothing; the one that has waited longest comes first. */
  const idle = new Set<number>();
  const startSlot = (slot: number) =>
    startLoop({
      async work(signal) {
        idle.delete(slot);
        const mayBeMore = await work(signal);
        if (!mayBeMore) idle.add(slot);
        return mayBeMore;
      },
      pollMs: UNTIL_WOKEN_MS,
      onError,
      backoffMs: failurePauseMs,
      backoffMaxMs: failurePauseMs,
    });
  const loops = Array.from({ length: slots }, (_, slot) => startSlot(slot));
  let polled: number | undefined;
  const polling = setInterval(() => {
    // A slot that is still at work since the last poll has found some: there may be more than it can do.
    const isAtWork = polled !== undefined && !idle.has(polled);
    const slotsToWake = isAtWork ? [...idle] : [...idle].slice(0, 1);
    [polled] = slotsToWake;
    for (const slot of slotsToWake) loops[slot]!.wake();
  }, pollMs);
  return {
    wake() {
      for (const loop of loops) loop.wake();
    },
    async close() {
      clearInterval(polling);
      await Promise.all(loops.map((loop) => loop.close()));
    },
  };
}
