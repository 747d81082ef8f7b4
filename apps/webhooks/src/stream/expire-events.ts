import type { Database, Tx } from '@cairn/postgres';
import { retainedSince } from '../intake/record-events.ts';

const ROWS_PER_STEP = 5_000;
const STEPS_MAX = 200;

/** Deletes events that streams no longer show, and notes how far they are gone. */
export async function expireEvents(database: Database, now: Date): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step += 1)
    if ((await database.transaction((tx) => expireSome(tx, retainedSince(now)))) < ROWS_PER_STEP) return;
}

async function expireSome(tx: Tx, before: Date): Promise<number> {
  const gone = await tx.query<{ tenant_id: string; through: number; events: number }>(
    `WITH gone AS (
       DELETE FROM tenant_events WHERE event_id IN (
         SELECT event_id FROM tenant_events WHERE occurred_at < $1 ORDER BY occurred_at LIMIT $2)
       RETURNING tenant_id, position)
     SELECT tenant_id, max(position) AS through, count(*) AS events FROM gone GROUP BY tenant_id`,
    [before, ROWS_PER_STEP],
  );
  if (gone.length === 0) return 0;
  const tenantIds = gone.map((row) => row.tenant_id);
  // In the order in which those who add events take them.
  await tx.query('SELECT 1 FROM event_positions WHERE tenant_id = ANY($1) ORDER BY tenant_id FOR UPDATE', [tenantIds]);
  await tx.execute(
    `UPDATE event_positions p SET expired_through = greatest(p.expired_through, given.through)
       FROM unnest($1::text[], $2::bigint[]) AS given (tenant_id, through) WHERE p.tenant_id = given.tenant_id`,
    [tenantIds, gone.map((row) => row.through)],
  );
  return gone.reduce((sum, row) => sum + row.events, 0);
}
