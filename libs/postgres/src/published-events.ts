import { JOURNAL_SUBJECT_ROOT } from '@cairn/contracts';
import type { Database, Tx } from './tx.ts';
import { notifyOutbox } from './outbox-channel.ts';

/** Rows of one replay or sweep transaction: few enough that relays and erasures wait for milliseconds. */
const BATCH = 1_000;

/**
 * Takes events that the broker has acknowledged out of the outbox and keeps them, so that they can be published again.
 * `positions` are locked by the caller's transaction.
 */
export async function storePublished(tx: Tx, positions: readonly number[]): Promise<void> {
  await tx.query({
    name: 'outbox_keep_published',
    text: `WITH published AS (
             DELETE FROM outbox WHERE position = ANY($1::bigint[]) RETURNING tenant_id, event_id, subject, payload)
           INSERT INTO published_events (tenant_id, event_id, subject, payload)
           SELECT tenant_id, event_id, subject, payload FROM published`,
    values: [positions],
  });
}

/** When the broker acknowledged the events: from `since` on, and before `until`. */
export interface PublishedBetween {
  since: Date;
  until: Date;
}

/**
 * Moves up to a thousand published events back into the outbox, oldest first, where the relay publishes them under the
 * same message ids; returns how many, 0 when none is left. Needs the worker role.
 */
export async function replayPublished(database: Database, { since, until }: PublishedBetween): Promise<number> {
  return database.transaction(async (tx) => {
    // Keeps erasures out: one that looked in the outbox before and here afterwards would miss an event on its way back.
    await tx.execute('LOCK TABLE published_events IN SHARE ROW EXCLUSIVE MODE');
    const moved = await tx.execute(
      `WITH again AS (
         DELETE FROM published_events WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM published_events WHERE published_at >= $1 AND published_at < $2
            ORDER BY published_at LIMIT ${BATCH}))
         RETURNING tenant_id, event_id, subject, payload, published_at),
       waiting AS (
         INSERT INTO outbox (tenant_id, event_id, subject, payload)
         SELECT tenant_id, event_id, subject, payload
           FROM (SELECT DISTINCT ON (event_id) * FROM again) AS event ORDER BY published_at
         ON CONFLICT (event_id) DO NOTHING)
       SELECT FROM again`,
      [since, until],
    );
    if (moved > 0) await notifyOutbox(tx);
    return moved;
  });
}

/** Since when published events are kept; null when there are none. */
export async function publishedSince(database: Database): Promise<Date | null> {
  const rows = await database.transaction((tx) =>
    tx.query<{ published_at: Date }>('SELECT published_at FROM published_events ORDER BY published_at LIMIT 1'),
  );
  return rows[0]?.published_at ?? null;
}

/** Deletes published events that were kept for so many hours. */
export async function sweepPublished(database: Database, retentionHours: number): Promise<void> {
  for (;;) {
    const deleted = await database.transaction((tx) =>
      tx.execute(
        `DELETE FROM published_events WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM published_events WHERE published_at < now() - make_interval(hours => $1)
            ORDER BY published_at LIMIT ${BATCH}))`,
        [retentionHours],
      ),
    );
    if (deleted < BATCH) return;
  }
}

/**
 * Deletes stored events of a tenant, waiting and published ones; returns how many. `condition` narrows them further,
 * with parameters from `$2` on. Entries of the journal
 * stay: they hold identifiers only, and say what a restored backup must not bring back. Waits for a relay that is publishing one of them and for a replay.
 */
export async function eraseStoredEvents(
  tx: Tx,
  tenantId: string,
  condition = 'true',
  values: readonly unknown[] = [],
): Promise<number> {
  let erased = 0;
  // The published ones first, which holds up replays until the end of the transaction; and again after the outbox,
  // because a relay may have published in between what the first statement did not see yet.
  for (const table of ['published_events', 'outbox', 'published_events'])
    erased += await tx.execute(
      `DELETE FROM ${table} WHERE tenant_id = $1 AND NOT starts_with(subject, '${JOURNAL_SUBJECT_ROOT}.') AND (${condition})`,
      [tenantId, ...values],
    );
  return erased;
}
