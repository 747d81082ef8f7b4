import type { Database } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import type { Clock } from '../clock.ts';
import { requeueDeadLetters } from '../deliveries/requeue.ts';

interface AutoReplay {
  /** The webhook has accepted a delivery and wants its dead letters replayed. */
  delivered(webhookId: string): void;
  close(): Promise<void>;
}

const BATCH_MAX = 200;
/** At most one replay of a webhook in this time. */
const PAUSE_MS = 1_000;

/** Replays dead letters of webhooks that opted in, a batch after an accepted delivery, until none are left. */
export function createAutoReplay(deps: {
  database: Database;
  clock: Clock;
  logger: Logger;
  hint: (webhookId: string) => void;
}): AutoReplay {
  const { clock } = deps;
  /** Webhooks replayed a moment ago, and whether they have accepted a delivery since. */
  const pausing = new Map<string, { deliveredAgain: boolean; cancel: () => void }>();
  const running = new Set<Promise<void>>();
  const replay = async (webhookId: string) => {
    const now = clock.now();
    const options = { dueAt: now, deadBefore: now, limit: BATCH_MAX, automatic: true };
    const replayed = await deps.database.transaction((tx) => requeueDeadLetters(tx, { webhookId }, options));
    if (replayed > 0) deps.hint(webhookId);
  };
  const delivered = (webhookId: string) => {
    const pause = pausing.get(webhookId);
    if (pause !== undefined) {
      pause.deliveredAgain = true;
      return;
    }
    const cancel = clock.after(PAUSE_MS, () => {
      const { deliveredAgain } = pausing.get(webhookId)!;
      pausing.delete(webhookId);
      // The replayed ones have been accepted within the pause: replay the next batch, even when nothing else happens.
      if (deliveredAgain) delivered(webhookId);
    });
    pausing.set(webhookId, { deliveredAgain: false, cancel });
    const work = replay(webhookId)
      .catch((error: unknown) =>
        deps.logger.warn(
          { err: error },
          'webhook auto-replay: queueing dead letters failed; retrying after the next accepted delivery',
        ),
      )
      .finally(() => running.delete(work));
    running.add(work);
  };
  return {
    delivered,
    async close() {
      for (const { cancel } of pausing.values()) cancel();
      await Promise.all(running);
    },
  };
}
