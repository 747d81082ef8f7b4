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
  const resting = new Set<string>();
  const running = new Set<Promise<void>>();
  const replay = async (webhookId: string) => {
    const now = clock.now();
    const options = { dueAt: now, deadBefore: now, limit: AT_ONCE, automatic: true };
    const replayed = await parts.database.transaction((tx) => requeueDeadLetters(tx, { webhookId }, options));
    if (replayed > 0) parts.hint(webhookId);
  };
  return {
    answered(webhookId) {
      if (resting.has(webhookId)) return;
      resting.add(webhookId);
      clock.after(PAUSE_MS, () => resting.delete(webhookId));
      const work = replay(webhookId)
        .catch((error: unknown) => parts.logger.warn({ err: error }, 'dead letters wait for their automatic replay'))
        .finally(() => running.delete(work));
      running.add(work);
    },
    async close() {
      await Promise.all(running);
    },
  };
}
