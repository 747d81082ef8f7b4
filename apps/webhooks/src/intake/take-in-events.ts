import { type Event, EVENT_CONSUMERS } from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';
import { closedScopesAmong, holdScopesOpen } from '../erasure/closed-scopes.ts';
import { insertDeliveries } from './delivery-rows.ts';
import { type Envelope, envelopeOf } from './envelope.ts';
import { deferFanOut, FAN_OUT_DELIVERIES_MAX } from './fan-out.ts';

/** The durable consumer's name, also in the inbox. */
const CONSUMER = EVENT_CONSUMERS.webhooks.durable;

/** An event that can be delivered, as the broker gave it. */
export interface Arrived extends Envelope {
  eventId: string;
  tenantId: string;
  memoryId: string;
}

/** Reads an event of the broker; null for one that is never delivered. */
export function arrivedOf(event: Event): Arrived | null {
  const envelope = envelopeOf(event);
  if (envelope === null) return null;
  return { ...envelope, eventId: event.eventId, tenantId: event.tenantId, memoryId: event.memoryId };
}

interface Wanted {
  arrived: Arrived;
  webhookId: string;
}

export interface TakenIn {
  /** Webhooks that have something to be delivered now. */
  webhookIds: string[];
  /** Deliveries of some events are still to be written. */
  isDeferred: boolean;
}

const NOTHING: TakenIn = { webhookIds: [], isDeferred: false };

/**
 * Makes the deliveries of a batch of events in one transaction; those of a tenant with very many are written later, so
 * that nobody's events wait behind them. A repeat of the batch does nothing: the inbox knows its events.
 */
export async function takeInEvents(
  parts: { workerDatabase: Database; now: () => Date },
  arrivals: readonly (Arrived | null)[],
): Promise<TakenIn> {
  const events = arrivals.filter((arrived) => arrived !== null);
  if (events.length === 0) return NOTHING;
  return parts.workerDatabase.transaction(async (tx) => {
    const wanted = await withSubscribers(tx, events);
    if (wanted.length === 0) return NOTHING;
    const open = await stillOpen(tx, wanted);
    const fresh = await firstTime(tx, open);
    if (fresh.length === 0) return NOTHING;
    await insertEvents(tx, fresh);
    const { now, later } = split(fresh);
    await deferFanOut(tx, later);
    await insertDeliveries(tx, now.map(placed), parts.now());
    return { webhookIds: [...new Set(now.map(({ webhookId }) => webhookId))], isDeferred: later.size > 0 };
  });
}

/** Deliveries of each tenant up to a bound, and the events of which more would be written. */
function split(wanted: readonly Wanted[]): { now: Wanted[]; later: Map<Arrived, string[]> } {
  const now: Wanted[] = [];
  const later = new Map<Arrived, string[]>();
  const counts = new Map<string, number>();
  for (const [arrived, ofEvent] of Map.groupBy(wanted, (one) => one.arrived)) {
    const count = (counts.get(arrived.tenantId) ?? 0) + ofEvent.length;
    counts.set(arrived.tenantId, count);
    if (count <= FAN_OUT_DELIVERIES_MAX) now.push(...ofEvent);
    else
      later.set(
        arrived,
        ofEvent.map(({ webhookId }) => webhookId),
      );
  }
  return { now, later };
}

function placed({ arrived, webhookId }: Wanted) {
  return { tenantId: arrived.tenantId, eventId: arrived.eventId, event: arrived.event, webhookId };
}

async function withSubscribers(tx: Tx, events: readonly Arrived[]): Promise<Wanted[]> {
  const subscribers = await tx.query<{ tenant_id: string; webhook_id: string; events: string[] }>({
    name: 'webhook_subscribers',
    text: `SELECT tenant_id, webhook_id, events FROM webhooks
            WHERE tenant_id = ANY($1) AND active AND deleted_at IS NULL`,
    values: [[...new Set(events.map(({ tenantId }) => tenantId))]],
  });
  const byTenant = Map.groupBy(subscribers, (row) => row.tenant_id);
  return events.flatMap((arrived) =>
    (byTenant.get(arrived.tenantId) ?? [])
      .filter((webhook) => webhook.events.includes(arrived.event))
      .map((webhook) => ({ arrived, webhookId: webhook.webhook_id })),
  );
}

/** Leaves out what is about something that was deleted; the rest cannot be deleted before we have committed. */
async function stillOpen(tx: Tx, wanted: readonly Wanted[]): Promise<Wanted[]> {
  const events = [...new Set(wanted.map(({ arrived }) => arrived))];
  await holdScopesOpen(tx, events);
  const isClosed = await closedScopesAmong(tx, events);
  return wanted.filter(({ arrived }) => !isClosed(arrived));
}

async function firstTime(tx: Tx, wanted: readonly Wanted[]): Promise<Wanted[]> {
  const eventIds = [...new Set(wanted.map(({ arrived }) => arrived.eventId))];
  const fresh = await tx.query<{ event_id: string }>({
    name: 'webhook_inbox',
    text: `INSERT INTO inbox (consumer, event_id) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING RETURNING event_id`,
    values: [CONSUMER, eventIds],
  });
  const ids = new Set(fresh.map((row) => row.event_id));
  return wanted.filter(({ arrived }) => ids.has(arrived.eventId));
}

async function insertEvents(tx: Tx, wanted: readonly Wanted[]): Promise<void> {
  const events = [...new Map(wanted.map(({ arrived }) => [arrived.eventId, arrived])).values()];
  await tx.execute({
    name: 'webhook_events_insert',
    text: `INSERT INTO webhook_events (tenant_id, event_id, event, memory_id, vault_ids, body)
           SELECT tenant_id, event_id, event, memory_id, ARRAY(SELECT json_array_elements_text(vault_ids::json)), body
             FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
               AS given (tenant_id, event_id, event, memory_id, vault_ids, body)
           ON CONFLICT (event_id) DO NOTHING`,
    values: [
      events.map((event) => event.tenantId),
      events.map((event) => event.eventId),
      events.map((event) => event.event),
      events.map((event) => event.memoryId),
      // Arrays of arrays must all be of one length there.
      events.map((event) => JSON.stringify(event.vaultIds)),
      events.map((event) => event.body),
    ],
  });
}
