import type { Database } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import type { Clock } from '../clock.ts';
import { requeueDeadLetters } from '../deliveries/requeue.ts';

export interface AutoReplay {
  /** The webhook has taken something and wants its dead letters again. */
  answered(webhookId: string): void;
  close(): Promise<void>;
}

const AT_ONCE = 200;
/** A webhook that answers often is looked at this often. */
const PAUSE_MS = 1_000;

/** Replays dead letters of webhooks that chose it, some after every answer, so that all come in time. */
export function createAutoReplay(parts: {
  database: Database;
  clock: Clock;
  logger: Logger;
  hint: (webhookId: string) => void;
}): AutoReplay {
  const { clock } = parts;
  /** Webhooks that were looked at a moment ago, and whether they have answered since. */
  const resting = new Map<string, { answeredAgain: boolean; callOff: () => void }>();
  const running = new Set<Promise<void>>();
  const replay = async (webhookId: string) => {
    const now = clock.now();
    const options = { dueAt: now, deadBefore: now, limit: AT_ONCE, automatic: true };
    const replayed = await parts.database.transaction((tx) => requeueDeadLetters(tx, { webhookId }, options));
    if (replayed > 0) parts.hint(webhookId);
  };
  const answered = (webhookId: string) => {
    const rest = resting.get(webhookId);
    if (rest !== undefined) {
      rest.answeredAgain = true;
      return;
    }
    const callOff = clock.after(PAUSE_MS, () => {
      const { answeredAgain } = resting.get(webhookId)!;
      resting.delete(webhookId);
      // What was replayed has been answered within the pause: the next ones are due, even when nothing else happens.
      if (answeredAgain) answered(webhookId);
    });
    resting.set(webhookId, { answeredAgain: false, callOff });
    const work = replay(webhookId)
      .catch((error: unknown) => parts.logger.warn({ err: error }, 'dead letters wait for their automatic replay'))
      .finally(() => running.delete(work));
    running.add(work);
  };
  return {
    answered,
    async close() {
      for (const { callOff } of resting.values()) callOff();
      await Promise.all(running);
    },
  };
}
