import { setTimeout as sleep } from 'node:timers/promises';
import type { EncodedEvent } from '@cairn/contracts';
import { appendAllToOutbox, type Database, sqlState } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import { isUnavailable } from './unavailable.ts';

/** Together about as long as the election of a primary takes. */
const PAUSES_MS = [500, 2_000, 8_000];
const UNIQUE_VIOLATION = '23505';

/**
 * Records what model calls used whose results could not be stored: they are paid for, and are made once more. Tries
 * again while the database cannot be reached. Never throws: the caller has a failure of its own to pass on.
 */
export async function recordUsage(
  deps: { database: Database; logger: Pick<Logger, 'warn'> },
  tenantId: string,
  usage: readonly EncodedEvent[],
): Promise<void> {
  if (usage.length === 0) return;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await deps.database.withTenant(tenantId, (tx) => appendAllToOutbox(tx, usage));
      return;
    } catch (error) {
      // The commit that seemed to fail has stored them after all.
      if (sqlState(error) === UNIQUE_VIOLATION) return;
      const pause = PAUSES_MS[attempt];
      if (pause === undefined || !isUnavailable(error)) {
        deps.logger.warn({ err: error, calls: usage.length }, 'usage: recording model calls failed');
        return;
      }
      await sleep(pause);
    }
  }
}
