import { EVENT_CONSUMERS } from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';
import { closedScopes } from '../erasure/closed-scopes.ts';
import { insertDeliveries, type NewDelivery } from './insert-deliveries.ts';
import { deferFanOut, FAN_OUT_DELIVERIES_MAX, tenantsToDefer } from './fan-out.ts';
import type { IncomingEvent } from './incoming-event.ts';
import { retainedSince, recordEvents } from './record-events.ts';

/** The durable consumer's name, also in the inbox. */
const CONSUMER = EVENT_CONSUMERS.webhooks.durable;
/** With so many deliveries in a batch it is checked whether their tenant is behind. */
const MANY_DELIVERIES = 20;

/** An event and a webhook that subscribes to it. */
interface Match {
  incoming: IncomingEvent;
  webhookId: string;
}

interface ConsumedBatch {
  /** Webhooks with a delivery that is due now. */
  webhookIds: string[];
  /** The deliveries of some events were deferred. */
  isDeferred: boolean;
}

const EMPTY: ConsumedBatch = { webhookIds: [], isDeferred: false };

/**
 * Keeps a batch of events for streams and inserts its deliveries in one transaction; those of a tenant with very many are deferred, so that
 * no other tenant's events wait behind them. A redelivery of the batch does nothing: its events are there.
 */
export async function consumeEventBatch(
  deps: { workerDatabase: Database; now: () => Date },
  incomingEvents: readonly (IncomingEvent | null)[],
): Promise<ConsumedBatch> {
  const events = incomingEvents.filter((incoming) => incoming !== null);
  if (events.length === 0) return EMPTY;
  return deps.workerDatabase.transaction(async (tx) => {
    const open = await withoutClosedScopes(tx, events);
    const since = retainedSince(deps.now());
    const matches = await matchSubscriptions(tx, await recordEvents(tx, open, since), since);
    if (matches.length === 0) return EMPTY;
    const fresh = await withoutDuplicates(tx, matches);
    if (fresh.length === 0) return EMPTY;
    await insertEvents(tx, fresh);
    const tenantIds = [...new Set(fresh.map(({ incoming }) => incoming.tenantId))];
    const { now, later } = split(fresh, await tenantsToDefer(tx, tenantIds, tenantsWithMany(fresh), deps.now()));
    await deferFanOut(tx, later);
    await insertDeliveries(tx, now.map(newDelivery), deps.now());
    return { webhookIds: [...new Set(now.map(({ webhookId }) => webhookId))], isDeferred: later.size > 0 };
  });
}

/** Tenants for whom a batch would insert many deliveries. */
function tenantsWithMany(matches: readonly Match[]): string[] {
  const byTenant = Map.groupBy(matches, ({ incoming }) => incoming.tenantId);
  return [...byTenant].filter(([, deliveries]) => deliveries.length >= MANY_DELIVERIES).map(([tenantId]) => tenantId);
}

/** Splits into deliveries to insert now, up to a bound for each tenant, and events whose deliveries are deferred. */
function split(
  matches: readonly Match[],
  deferredTenants: ReadonlySet<string>,
): { now: Match[]; later: Map<IncomingEvent, string[]> } {
  const now: Match[] = [];
  const later = new Map<IncomingEvent, string[]>();
  const counts = new Map<string, number>();
  for (const [incoming, ofEvent] of Map.groupBy(matches, (match) => match.incoming)) {
    const count = (counts.get(incoming.tenantId) ?? 0) + ofEvent.length;
    counts.set(incoming.tenantId, count);
    if (count <= FAN_OUT_DELIVERIES_MAX && !deferredTenants.has(incoming.tenantId)) now.push(...ofEvent);
    else
      later.set(
        incoming,
        ofEvent.map(({ webhookId }) => webhookId),
      );
  }
  return { now, later };
}

function newDelivery({ incoming, webhookId }: Match): NewDelivery {
  return {
    tenantId: incoming.tenantId,
    eventId: incoming.eventId,
    event: incoming.event,
    webhookId,
  };
}

/**
 * That an event was handled for nobody is known only of those that occurred at `since` or later. An older one goes only
 * to webhooks that existed when it occurred.
 */
async function matchSubscriptions(tx: Tx, events: readonly IncomingEvent[], since: Date): Promise<Match[]> {
  const subscribers = await tx.query<{ tenant_id: string; webhook_id: string; events: string[]; created_at: Date }>({
    name: 'webhook_subscribers',
    text: `SELECT tenant_id, webhook_id, events, created_at FROM webhooks
            WHERE tenant_id = ANY($1) AND active AND deleted_at IS NULL`,
    values: [[...new Set(events.map(({ tenantId }) => tenantId))]],
  });
  const byTenant = Map.groupBy(subscribers, (row) => row.tenant_id);
  return events.flatMap((incoming) =>
    (byTenant.get(incoming.tenantId) ?? [])
      .filter((webhook) => webhook.events.includes(incoming.event))
      .filter((webhook) => incoming.occurredAt >= since || incoming.occurredAt >= webhook.created_at)
      .map((webhook) => ({ incoming, webhookId: webhook.webhook_id })),
  );
}

/** Drops events about deleted scopes; the scopes of the others cannot be closed before this transaction commits. */
async function withoutClosedScopes(tx: Tx, events: readonly IncomingEvent[]): Promise<IncomingEvent[]> {
  const isClosed = await closedScopes.holdOpen(tx, events);
  return events.filter((incoming) => !isClosed(incoming));
}

async function withoutDuplicates(tx: Tx, matches: readonly Match[]): Promise<Match[]> {
  const eventIds = [...new Set(matches.map(({ incoming }) => incoming.eventId))];
  const fresh = await tx.query<{ event_id: string }>({
    name: 'webhook_inbox',
    text: `INSERT INTO inbox (consumer, event_id) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING RETURNING event_id`,
    values: [CONSUMER, eventIds],
  });
  const ids = new Set(fresh.map((row) => row.event_id));
  return matches.filter(({ incoming }) => ids.has(incoming.eventId));
}

async function insertEvents(tx: Tx, matches: readonly Match[]): Promise<void> {
  const events = [...new Map(matches.map(({ incoming }) => [incoming.eventId, incoming])).values()];
  await tx.execute({
    name: 'webhook_events_insert',
    text: `INSERT INTO webhook_events (tenant_id, event_id, event, memory_id, vault_ids, body, traceparent)
           SELECT tenant_id, event_id, event, memory_id, ARRAY(SELECT json_array_elements_text(vault_ids::json)), body, traceparent
             FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
               AS given (tenant_id, event_id, event, memory_id, vault_ids, body, traceparent)
           ON CONFLICT (event_id) DO NOTHING`,
    values: [
      events.map((event) => event.tenantId),
      events.map((event) => event.eventId),
      events.map((event) => event.event),
      events.map((event) => event.memoryId),
      // PostgreSQL cannot unnest arrays of different lengths.
      events.map((event) => JSON.stringify(event.vaultIds)),
      events.map((event) => event.body),
      events.map((event) => event.traceparent),
    ],
  });
}
