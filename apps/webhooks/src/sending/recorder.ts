import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import type { HealthLimits } from './endpoint-health.ts';
import type { EndedAttempt } from './ended-attempt.ts';
import { recordEndedAttempts } from './record-store.ts';

export interface Recorder {
  /** Resolves when the attempt is durably recorded; while the database is unavailable it waits. */
  record(ended: EndedAttempt): Promise<void>;
  /** Records what has ended; what cannot be recorded within a few seconds is reclaimed when its claim expires. */
  close(): Promise<void>;
}

const BATCH_MAX = 200;
const RETRY_MS = 250;
const CLOSE_TIMEOUT_MS = 4_000;

interface RecorderDeps {
  database: Database;
  logger: Logger;
  health: HealthLimits;
}

interface Waiting {
  ended: EndedAttempt;
  recorded: () => void;
}

/** Records ended attempts many at a time: those that arrive during one transaction form the next batch. */
export function createRecorder(deps: RecorderDeps): Recorder {
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let abandoned = false;

  const run = async () => {
    while (waiting.length > 0 && !abandoned) {
      const batch = waiting.slice(0, BATCH_MAX);
      try {
        const deactivated = await recordBatch(deps, batch);
        for (const webhookId of deactivated)
          deps.logger.info(
            { webhook_id: webhookId },
            'webhook recorder: a webhook was deactivated because its endpoint keeps failing',
          );
        waiting = waiting.slice(batch.length);
        for (const { recorded } of batch) recorded();
      } catch (error) {
        deps.logger.warn(
          { err: error, attempts: waiting.length },
          'webhook recorder: recording attempts failed; retrying',
        );
        await sleep(RETRY_MS);
      }
    }
    running = null;
  };
  return {
    record(ended) {
      return new Promise((recorded) => {
        waiting.push({ ended, recorded });
        running ??= run();
      });
    },
    async close() {
      const timer = setTimeout(() => {
        abandoned = true;
      }, CLOSE_TIMEOUT_MS);
      await running;
      clearTimeout(timer);
    },
  };
}

function recordBatch(deps: RecorderDeps, batch: readonly Waiting[]): Promise<string[]> {
  // In one order, so that two batches with the same deliveries do not deadlock.
  const ended = batch
    .map((entry) => entry.ended)
    .toSorted((a, b) => (a.claimed.delivery_id < b.claimed.delivery_id ? -1 : 1));
  return deps.database.transaction((tx) => recordEndedAttempts(tx, ended, deps.health));
}
