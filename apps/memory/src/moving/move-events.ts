import { asTenant, CALL_BUDGET_MS, lockMoveIn, type Move, type MoveEngines } from './move-scope.ts';

const EVENTS_AT_ONCE = 500;

interface PublishedEvent {
  event_id: string;
  subject: string;
  payload: Buffer;
  published_at: Date;
}

/**
 * Published events are kept where their memory is, or its erasure would miss them. Copied before they are deleted: a copy
 * that a crash left on both has the same id and is published once. True when none is left.
 */
export async function moveEvents({ source, target }: MoveEngines, move: Move): Promise<boolean> {
  const until = performance.now() + CALL_BUDGET_MS;
  const about = 'tenant_id = $1 AND position($2 IN subject) > 0';
  const values = [move.tenantId, move.memoryId];
  while (performance.now() < until) {
    const events = await asTenant(source.workerDatabase, move, async (tx) => {
      await lockMoveIn(tx, move, ['left']);
      return tx.query<PublishedEvent>(
        `SELECT event_id, subject, payload, published_at FROM published_events WHERE ${about} LIMIT ${EVENTS_AT_ONCE}`,
        values,
      );
    });
    if (events.length === 0) return true;
    const ids = events.map((event) => event.event_id);
    await asTenant(target.workerDatabase, move, (tx) =>
      tx.execute(
        `INSERT INTO published_events (tenant_id, event_id, subject, payload, published_at)
         SELECT $1, moved.* FROM unnest($2::text[], $3::text[], $4::bytea[], $5::timestamptz[]) AS moved (event_id, subject, payload, published_at)
          WHERE NOT EXISTS (SELECT 1 FROM published_events AS kept WHERE kept.tenant_id = $1 AND kept.event_id = moved.event_id)`,
        [
          move.tenantId,
          ids,
          events.map((event) => event.subject),
          events.map((event) => event.payload),
          events.map((event) => event.published_at),
        ],
      ),
    );
    await asTenant(source.workerDatabase, move, async (tx) => {
      await lockMoveIn(tx, move, ['left']);
      await tx.execute(`DELETE FROM published_events WHERE ${about} AND event_id = ANY($3)`, [...values, ids]);
    });
  }
  return false;
}
