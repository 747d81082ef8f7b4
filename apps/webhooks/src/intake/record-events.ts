import { EVENTS_RETENTION_DAYS } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import type { IncomingEvent } from './incoming-event.ts';

const DAY_MS = 86_400_000;

/** Events that occurred before this are not kept for streams. */
export function retainedSince(now: Date): Date {
  return new Date(now.getTime() - EVENTS_RETENTION_DAYS * DAY_MS);
}

/**
 * Keeps the events for those who follow them. A redelivered one is known by its id; one that occurred before `since`,
 * from when on events are kept, may have been known and is passed over. Returns the events without the redelivered ones.
 */
export async function recordEvents(
  tx: Tx,
  events: readonly IncomingEvent[],
  since: Date,
): Promise<readonly IncomingEvent[]> {
  const recent = events.filter(({ occurredAt }) => occurredAt >= since);
  if (recent.length === 0) return events;
  const next = await takePositions(tx, recent);
  const positions = recent.map(({ tenantId }) => {
    const position = next.get(tenantId)!;
    next.set(tenantId, position + 1);
    return position;
  });
  const rows = await tx.query<{ event_id: string }>({
    name: 'tenant_events_insert',
    text: `INSERT INTO tenant_events
             (tenant_id, event_id, position, event, livemode, memory_id, vault_ids, body, occurred_at)
           SELECT tenant_id, event_id, position, event, livemode, memory_id,
                  ARRAY(SELECT json_array_elements_text(vault_ids::json)), body, occurred_at
             FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::boolean[], $6::text[], $7::text[], $8::text[],
                         $9::timestamptz[])
               AS given (tenant_id, event_id, position, event, livemode, memory_id, vault_ids, body, occurred_at)
           ON CONFLICT (event_id) DO NOTHING
           RETURNING event_id`,
    values: [
      recent.map((event) => event.tenantId),
      recent.map((event) => event.eventId),
      positions,
      recent.map((event) => event.event),
      recent.map((event) => event.livemode),
      recent.map((event) => event.memoryId),
      // PostgreSQL cannot unnest arrays of different lengths.
      recent.map((event) => JSON.stringify(event.vaultIds)),
      recent.map((event) => event.body),
      recent.map((event) => event.occurredAt),
    ],
  });
  const recorded = new Set(rows.map((row) => row.event_id));
  return events.filter(({ eventId, occurredAt }) => occurredAt < since || recorded.has(eventId));
}

/** The first position of each tenant's events; its row is this transaction's until it ends. */
async function takePositions(tx: Tx, events: readonly IncomingEvent[]): Promise<Map<string, number>> {
  const counts = [...Map.groupBy(events, ({ tenantId }) => tenantId)].map(([tenantId, own]) => ({
    tenantId,
    count: own.length,
  }));
  const rows = await tx.query<{ tenant_id: string; last_position: number }>({
    name: 'event_positions_take',
    // In one order, so that two batches never wait for each other.
    text: `INSERT INTO event_positions (tenant_id, last_position)
           SELECT tenant_id, taken FROM unnest($1::text[], $2::bigint[]) AS given (tenant_id, taken) ORDER BY tenant_id
           ON CONFLICT (tenant_id) DO UPDATE SET last_position = event_positions.last_position + EXCLUDED.last_position
           RETURNING tenant_id, last_position`,
    values: [counts.map(({ tenantId }) => tenantId), counts.map(({ count }) => count)],
  });
  const last = new Map(rows.map((row) => [row.tenant_id, row.last_position]));
  return new Map(counts.map(({ tenantId, count }) => [tenantId, last.get(tenantId)! - count + 1]));
}
