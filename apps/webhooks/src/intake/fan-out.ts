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
/** While every tenant pauses: another one may be deferred meanwhile, by another replica too. */
const PAUSE_MAX_MS = 500;

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
             FROM unnest($1::text[], $2::text[], $3::text[]) AS given (tenant_id, event_id, webhook_ids)
           ON CONFLICT (event_id) DO NOTHING`,
    values: [
      [...later.keys()].map(({ tenantId }) => tenantId),
      [...later.keys()].map(({ eventId }) => eventId),
      [...later.values()].map((webhookIds) => JSON.stringify(webhookIds)),
    ],
  });
}

/**
 * True for a tenant whose deliveries cannot be sent as fast as they are inserted. An endpoint that fails does not count:
 * it would hold back the tenant's other webhooks. $1: due before; $2: so many.
 */
const IS_BEHIND = `EXISTS (
  SELECT 1 FROM webhooks w CROSS JOIN LATERAL (
    SELECT 1 FROM delivery_queue q WHERE q.webhook_id = w.webhook_id AND q.due_at < $1 LIMIT $2) due
   WHERE w.tenant_id = given.tenant_id AND w.active AND w.deleted_at IS NULL AND w.failing_since IS NULL
  OFFSET $2 - 1)`;

const behindValues = (now: Date) => [new Date(now.getTime() - BEHIND_AFTER_MS), BEHIND_DELIVERIES];

/**
 * Tenants whose events are deferred: those that have deferred events already, to keep the order, and of `withMany` those
 * that are behind.
 */
export async function tenantsToDefer(
  tx: Tx,
  tenantIds: readonly string[],
  withMany: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const rows = await tx.query<{ tenant_id: string }>({
    name: 'webhook_tenants_to_defer',
    text: `SELECT given.tenant_id FROM unnest($3::text[]) AS given (tenant_id)
            WHERE EXISTS (SELECT 1 FROM pending_fan_outs p WHERE p.tenant_id = given.tenant_id)
               OR (given.tenant_id = ANY($4) AND ${IS_BEHIND})`,
    values: [...behindValues(now), [...tenantIds], [...withMany]],
  });
  return new Set(rows.map((row) => row.tenant_id));
}

async function tenantsBehind(tx: Tx, tenantIds: readonly string[], now: Date): Promise<string[]> {
  const rows = await tx.query<{ tenant_id: string }>({
    name: 'webhook_tenants_behind',
    text: `SELECT given.tenant_id FROM unnest($3::text[]) AS given (tenant_id) WHERE ${IS_BEHIND}`,
    values: [...behindValues(now), [...tenantIds]],
  });
  return rows.map((row) => row.tenant_id);
}

/** The result of a turn of the fan-out. */
interface FanOutTurn {
  webhookIds: string[];
  /** The tenant after which the next turn continues, also when another replica was at it; empty after the last one. */
  lastTenantId: string;
}

/**
 * Inserts the deliveries of some deferred events, the oldest of the next few tenants. One replica at a time works on a
 * tenant, which keeps its order. A tenant that is behind pauses after its turn, for all replicas. Whatever was erased or
 * deleted meanwhile is left out.
 */
export async function runFanOutTurn(database: Database, afterTenantId: string, now: Date): Promise<FanOutTurn> {
  return database.transaction(async (tx) => {
    const tenantIds = await nextTenants(tx, afterTenantId, now);
    const lastTenantId = tenantIds.at(-1) ?? '';
    const eventIds = await lockPending(tx, await lockTenants(tx, tenantIds));
    if (eventIds.length === 0) return { webhookIds: [], lastTenantId };
    const deliveries = await tx.query<NewDelivery>({
      name: 'webhook_fan_outs_deliveries',
      text: `SELECT e.tenant_id AS "tenantId", e.event_id AS "eventId", e.event, w.webhook_id AS "webhookId"
               FROM pending_fan_outs p JOIN webhook_events e USING (event_id)
               JOIN webhooks w ON w.webhook_id = ANY(p.webhook_ids) AND w.deleted_at IS NULL
              WHERE p.event_id = ANY($1) ORDER BY e.event_id FOR KEY SHARE OF w`,
      values: [eventIds],
    });
    await tx.execute('DELETE FROM pending_fan_outs WHERE event_id = ANY($1)', [eventIds]);
    const written = Map.groupBy(deliveries, ({ tenantId }) => tenantId);
    const behind = await tenantsBehind(tx, [...written.keys()], now);
    await insertDeliveries(tx, deliveries, now);
    await pauseTenants(
      tx,
      behind.map((tenantId) => ({
        tenantId,
        until: new Date(now.getTime() + (written.get(tenantId)!.length / BEHIND_PER_SECOND) * 1_000),
      })),
    );
    return { webhookIds: [...new Set(deliveries.map(({ webhookId }) => webhookId))], lastTenantId };
  });
}

/** The next tenants with deferred events that do not pause. */
async function nextTenants(tx: Tx, afterTenantId: string, now: Date): Promise<string[]> {
  const next = (after: string) => `(SELECT p.tenant_id FROM pending_fan_outs p
     WHERE p.tenant_id > ${after}
       AND NOT EXISTS (SELECT 1 FROM fan_out_pauses f WHERE f.tenant_id = p.tenant_id AND f.paused_until > $3)
     ORDER BY p.tenant_id LIMIT 1)`;
  const rows = await tx.query<{ tenant_id: string }>({
    name: 'webhook_fan_outs_tenants',
    // Steps from tenant to tenant through the index, however much waits for each.
    text: `WITH RECURSIVE step AS (
             SELECT first.tenant_id, 1 AS n FROM ${next('$1')} first
             UNION ALL
             SELECT following.tenant_id, step.n + 1 FROM step CROSS JOIN LATERAL ${next('step.tenant_id')} following
              WHERE step.n < $2)
           SELECT tenant_id FROM step ORDER BY tenant_id`,
    values: [afterTenantId, TENANTS_PER_TURN, now],
  });
  return rows.map((row) => row.tenant_id);
}

/** Those of the tenants that no other replica is at; they are this transaction's until it ends. */
async function lockTenants(tx: Tx, tenantIds: readonly string[]): Promise<string[]> {
  if (tenantIds.length === 0) return [];
  const rows = await tx.query<{ tenant_id: string }>({
    name: 'webhook_fan_outs_lock_tenants',
    text: `SELECT tenant_id FROM unnest($1::text[]) AS given (tenant_id)
            WHERE pg_try_advisory_xact_lock(hashtextextended('webhooks:fan-out:' || tenant_id, 0))`,
    values: [[...tenantIds]],
  });
  return rows.map((row) => row.tenant_id);
}

/** The oldest events of each tenant, up to the bound for its deliveries. One that is being erased is passed over. */
async function lockPending(tx: Tx, tenantIds: readonly string[]): Promise<string[]> {
  if (tenantIds.length === 0) return [];
  const rows = await tx.query<{ event_id: string }>({
    name: 'webhook_fan_outs_lock',
    text: `SELECT taken.event_id FROM unnest($1::text[]) AS given (tenant_id) CROSS JOIN LATERAL (
             SELECT event_id, webhook_count, sum(webhook_count) OVER (ORDER BY event_id) AS up_to FROM (
               SELECT event_id, cardinality(webhook_ids) AS webhook_count FROM pending_fan_outs p
                WHERE p.tenant_id = given.tenant_id ORDER BY event_id LIMIT $2 FOR UPDATE SKIP LOCKED) oldest) taken
            WHERE taken.up_to - taken.webhook_count < $3`,
    values: [[...tenantIds], EVENTS_PER_TENANT, FAN_OUT_DELIVERIES_MAX],
  });
  return rows.map((row) => row.event_id);
}

async function pauseTenants(tx: Tx, pauses: readonly { tenantId: string; until: Date }[]): Promise<void> {
  if (pauses.length === 0) return;
  await tx.execute(
    `INSERT INTO fan_out_pauses (tenant_id, paused_until) SELECT * FROM unnest($1::text[], $2::timestamptz[])
     ON CONFLICT (tenant_id) DO UPDATE SET paused_until = EXCLUDED.paused_until`,
    [pauses.map(({ tenantId }) => tenantId), pauses.map(({ until }) => until)],
  );
}

/** How long until a tenant that pauses has its turn; null when nothing is deferred at all. */
async function msUntilNextTurn(database: Database, now: Date): Promise<number | null> {
  const [row] = await database.transaction((tx) =>
    tx.query<{ is_pending: boolean; resumes_at: Date | null }>(
      `SELECT EXISTS (SELECT 1 FROM pending_fan_outs) AS is_pending,
              (SELECT min(paused_until) FROM fan_out_pauses f WHERE paused_until > $1
                 AND EXISTS (SELECT 1 FROM pending_fan_outs p WHERE p.tenant_id = f.tenant_id)) AS resumes_at`,
      [now],
    ),
  );
  if (row === undefined || !row.is_pending) return null;
  return Math.max(0, (row.resumes_at?.getTime() ?? 0) - now.getTime());
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
  let running: Promise<void> | null = null;
  const run = async () => {
    let lastTenantId = '';
    while (!closing.signal.aborted) {
      const turn = await runFanOutTurn(deps.database, lastTenantId, deps.now());
      for (const webhookId of turn.webhookIds) deps.hint(webhookId);
      let pauseMs = PAUSE_MS;
      // After the last tenant it starts over; a round without tenants ends it, unless some pause.
      if (turn.lastTenantId === '' && lastTenantId === '') {
        const waitMs = await msUntilNextTurn(deps.database, deps.now());
        if (waitMs === null) return;
        pauseMs = Math.min(Math.max(waitMs, PAUSE_MS), PAUSE_MAX_MS);
      }
      lastTenantId = turn.lastTenantId;
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  return {
    wake() {
      if (closing.signal.aborted) return;
      running ??= run()
        .catch((error: unknown) =>
          deps.logger.warn(
            { err: error },
            'webhook fan-out: inserting deferred deliveries failed; retrying at the next wake-up',
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
