import { repeat } from '@cairn/background';
import type { Database } from './tx.ts';
import { IDEMPOTENCY_RETENTION_HOURS } from './idempotency.ts';
import { sweepPublished } from './published-events.ts';

/** Longer than the event stream keeps an event, so that no repeat can come after its inbox row is gone. */
const INBOX_RETENTION_DAYS = 30;
const SWEEP_EVERY_MS = 3_600_000;

/** Deletes what has had its time: answers kept for idempotency keys, and marks of handled events. */
export async function sweepExpired(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute('DELETE FROM idempotency_keys WHERE created_at < now() - make_interval(hours => $1)', [
      IDEMPOTENCY_RETENTION_HOURS,
    ]);
    await tx.execute('DELETE FROM inbox WHERE handled_at < now() - make_interval(days => $1)', [INBOX_RETENTION_DAYS]);
  });
}

interface SweeperOptions {
  /** Connected as the service's worker role. */
  database: Database;
  /** How many hours published events are kept for a replay. */
  publishedRetentionHours: number;
  onError: (error: unknown) => void;
}

/** Sweeps at start and every hour. */
export function startSweeper({ database, publishedRetentionHours, onError }: SweeperOptions): {
  close(): Promise<void>;
} {
  return repeat(
    SWEEP_EVERY_MS,
    async () => {
      await sweepExpired(database);
      await sweepPublished(database, publishedRetentionHours);
    },
    onError,
  );
}
