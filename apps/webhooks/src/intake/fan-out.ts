import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Tx } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import { insertDeliveries, type NewDelivery } from './insert-deliveries.ts';

/** Deliveries of one tenant that one transaction inserts; a tenant with a hundred webhooks has ten events in it. */
export const FAN_OUT_DELIVERIES_MAX = 1_000;
/** A tenant is behind when so many deliveries to healthy endpoints of it have been due for so long. */
const BEHIND_DELIVERIES = 2_000;
const BEHIND_AFTER_MS = 10_000;
/** Deliveries a second that are inserted for a tenant that is behind: more would only wait in the queue. */
const BEHIND_PER_SECOND = 100;
const TENANTS_PER_TURN = 5;
const EVENTS_PER_TENANT = 200;
/** Leaves the database to deliveries in between. */
const PAUSE_MS = 50;

/** Stores which webhooks an event is to be delivered to later. */
export async function deferFanOut(
  tx: Tx,
  later: ReadonlyMap<{ tenantId: string; eventId: string }, readonly string[]>,
): Promise<void> {
  if (later.size === 0) return;
  await tx.execute({
    name: 'webhook_fan_outs_insert',
    text: `INSERT INTO pending_fan_outs (tenant_id, event_id, webhook_ids)
           SELECT tenant_id, event_id, ARRAY(SELECT json_array_elements_text(webhook_ids::json))
             FROM unnest($1::text[], $2::text[], $3::text[]) AS given (tenant_id, event_id, webhook_ids)`,
    values: [
      [...later.keys()].map(({ tenantId }) => tenantId),
      [...later.keys()].map(({ eventId }) => eventId),
      [...later.values()].map((webhookIds) => JSON.stringify(webhookIds)),
    ],
  });
}

/**
 * Tenants whose deliveries cannot be sent as fast as they are inserted. An endpoint that fails does not count: it would
 * hold back the tenant's other webhooks.
 */
export async function tenantsBehind(tx: Tx, tenantIds: readonly string[], now: Date): Promise<Set<string>> {
  if (tenantIds.length === 0) return new Set();
  const rows = await tx.query<{ tenant_id: string }>({
    name: 'webhook_tenants_behind',
    text: `SELECT given.tenant_id FROM unnest($1::text[]) AS given (tenant_id)
            WHERE EXISTS (
              SELECT 1 FROM webhooks w CROSS JOIN LATERAL (
                SELECT 1 FROM delivery_queue q WHERE q.webhook_id = w.webhook_id AND q.due_at < $2 LIMIT $3) due
               WHERE w.tenant_id = given.tenant_id AND w.active AND w.deleted_at IS NULL AND w.failing_since IS NULL
              OFFSET $3 - 1)`,
    values: [[...tenantIds], new Date(now.getTime() - BEHIND_AFTER_MS), BEHIND_DELIVERIES],
  });
  return new Set(rows.map((row) => row.tenant_id));
}

/** Tenants that have deferred events: further ones are deferred too, to keep the order. */
export async function tenantsDeferred(tx: Tx, tenantIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ tenant_id: string }>({
    name: 'webhook_tenants_deferred',
    text: `SELECT given.tenant_id FROM unnest($1::text[]) AS given (tenant_id)
            WHERE EXISTS (SELECT 1 FROM pending_fan_outs p WHERE p.tenant_id = given.tenant_id)`,
    values: [[...tenantIds]],
  });
  return new Set(rows.map((row) => row.tenant_id));
}

/** The result of a turn of the fan-out, and the tenant after which the next one continues. */
interface FanOutTurn {
  webhookIds: string[];
  lastTenantId: string;
  /** Deliveries inserted for each tenant that is behind. */
  behind: Map<string, number>;
}

/**
 * Inserts the deliveries of some deferred events, the oldest of the next few tenants. Whatever was erased or deleted
 * meanwhile is left out. With nothing to do, the last tenant is empty.
 */
export async function runFanOutTurn(
  database: Database,
  afterTenantId: string,
  now: Date,
  paused: ReadonlySet<string> = new Set(),
): Promise<FanOutTurn> {
  return database.transaction(async (tx) => {
    const rows = await lockPending(tx, afterTenantId, paused);
    if (rows.length === 0) return { webhookIds: [], lastTenantId: '', behind: new Map() };
    const deliveries = await tx.query<NewDelivery>({
      name: 'webhook_fan_outs_deliveries',
      text: `SELECT e.tenant_id AS "tenantId", e.event_id AS "eventId", e.event, w.webhook_id AS "webhookId"
               FROM pending_fan_outs p JOIN webhook_events e USING (event_id)
               JOIN webhooks w ON w.webhook_id = ANY(p.webhook_ids) AND w.deleted_at IS NULL
              WHERE p.event_id = ANY($1) ORDER BY e.event_id FOR KEY SHARE OF w`,
      values: [rows.map((row) => row.event_id)],
    });
    await tx.execute('DELETE FROM pending_fan_outs WHERE event_id = ANY($1)', [rows.map((row) => row.event_id)]);
    const written = Map.groupBy(deliveries, ({ tenantId }) => tenantId);
    const behind = await tenantsBehind(tx, [...written.keys()], now);
    await insertDeliveries(tx, deliveries, now);
    return {
      webhookIds: [...new Set(deliveries.map(({ webhookId }) => webhookId))],
      lastTenantId: rows.at(-1)!.tenant_id,
      behind: new Map([...behind].map((tenantId) => [tenantId, written.get(tenantId)!.length])),
    };
  });
}

async function lockPending(
  tx: Tx,
  afterTenantId: string,
  paused: ReadonlySet<string>,
): Promise<{ tenant_id: string; event_id: string }[]> {
  return tx.query({
    name: 'webhook_fan_outs_lock',
    // Steps from tenant to tenant through the index, however much waits for each.
    text: `WITH RECURSIVE step AS (
             (SELECT tenant_id, 1 AS n FROM pending_fan_outs
               WHERE tenant_id > $1 AND tenant_id <> ALL($4) ORDER BY tenant_id LIMIT 1)
             UNION ALL
             SELECT following.tenant_id, step.n + 1 FROM step CROSS JOIN LATERAL (
               SELECT tenant_id FROM pending_fan_outs
                WHERE tenant_id > step.tenant_id AND tenant_id <> ALL($4) ORDER BY tenant_id LIMIT 1) following
              WHERE step.n < $2)
           SELECT taken.tenant_id, taken.event_id FROM step CROSS JOIN LATERAL (
             SELECT tenant_id, event_id, webhook_count, sum(webhook_count) OVER (ORDER BY event_id) AS up_to FROM (
               SELECT tenant_id, event_id, cardinality(webhook_ids) AS webhook_count FROM pending_fan_outs p
                WHERE p.tenant_id = step.tenant_id ORDER BY event_id LIMIT $3 FOR UPDATE SKIP LOCKED) oldest) taken
            WHERE taken.up_to - taken.webhook_count < $5
            ORDER BY taken.tenant_id`,
    values: [afterTenantId, TENANTS_PER_TURN, EVENTS_PER_TENANT, [...paused], FAN_OUT_DELIVERIES_MAX],
  });
}

export interface FanOut extends Running {
  /** Something was deferred, here or elsewhere. */
  wake(): void;
}

/**
 * Inserts deferred deliveries turn by turn, round-robin over tenants, until none are left. A tenant that is behind pauses
 * after its turn: a flood waits as events, a row each, not as deliveries. Not a loop of the background library: between
 * wake-ups it does not poll, and each turn is followed by a pause even when there is more to do.
 */
export function startFanOut(deps: {
  database: Database;
  now: () => Date;
  logger: Logger;
  hint: (webhookId: string) => void;
}): FanOut {
  const closing = new AbortController();
  /** When each tenant that is behind has its next turn, in ms. */
  const pausedUntil = new Map<string, number>();
  let running: Promise<void> | null = null;
  const run = async () => {
    let lastTenantId = '';
    while (!closing.signal.aborted) {
      for (const [tenantId, until] of pausedUntil) if (until <= Date.now()) pausedUntil.delete(tenantId);
      const turn = await runFanOutTurn(deps.database, lastTenantId, deps.now(), new Set(pausedUntil.keys()));
      for (const webhookId of turn.webhookIds) deps.hint(webhookId);
      for (const [tenantId, count] of turn.behind)
        pausedUntil.set(tenantId, Date.now() + (count / BEHIND_PER_SECOND) * 1_000);
      // After the last tenant it starts over; a round without work ends it.
      if (turn.lastTenantId === '' && lastTenantId === '' && pausedUntil.size === 0) return;
      lastTenantId = turn.lastTenantId;
      await sleep(PAUSE_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  return {
    wake() {
      if (closing.signal.aborted) return;
      running ??= run()
        .catch((error: unknown) =>
          deps.logger.warn(
            { err: error },
            'webhook fan-out: inserting deferred deliveries failed; trying again at the next wake-up',
          ),
        )
        .finally(() => {
          running = null;
        });
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}
