import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import type { HealthLimits } from './endpoint-health.ts';
import { type Ended, recordEnded } from './record-store.ts';

export interface Recorder {
  /** Resolves when the attempt is durably recorded; while the database is away it waits. */
  record(ended: Ended): Promise<void>;
  /** Records what has ended; what cannot be recorded within a few seconds is left to whoever sweeps claims. */
  close(): Promise<void>;
}

const BATCH_MAX = 200;
const RETRY_MS = 250;
const CLOSE_TIMEOUT_MS = 4_000;

export interface RecorderParts {
  database: Database;
  logger: Logger;
  health: HealthLimits;
}

interface Waiting {
  ended: Ended;
  recorded: () => void;
}

/** Records ended attempts many at a time: what has come while one transaction ran is the next one. */
export function createRecorder(parts: RecorderParts): Recorder {
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let givenUp = false;

  const run = async () => {
    while (waiting.length > 0 && !givenUp) {
      const batch = waiting.slice(0, BATCH_MAX);
      try {
        const deactivated = await recordBatch(parts, batch);
        for (const webhookId of deactivated)
          parts.logger.info({ webhookId }, 'webhook deactivated: its endpoint keeps failing');
        waiting = waiting.slice(batch.length);
        for (const { recorded } of batch) recorded();
      } catch (error) {
        parts.logger.warn({ err: error, attempts: waiting.length }, 'attempts could not be recorded; they wait');
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
      const cut = setTimeout(() => {
        givenUp = true;
      }, CLOSE_TIMEOUT_MS);
      await running;
      clearTimeout(cut);
    },
  };
}

function recordBatch(parts: RecorderParts, batch: readonly Waiting[]): Promise<string[]> {
  // In one order, so that two batches with the same deliveries do not wait for each other.
  const ended = batch
    .map((entry) => entry.ended)
    .toSorted((a, b) => (a.claimed.delivery_id < b.claimed.delivery_id ? -1 : 1));
  return parts.database.transaction((tx) => recordEnded(tx, ended, parts.health));
}
