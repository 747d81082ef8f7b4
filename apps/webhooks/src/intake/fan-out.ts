import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Tx } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import { insertDeliveries, type PlacedDelivery } from './delivery-rows.ts';

/** Deliveries of one tenant that one transaction writes; a tenant with a hundred webhooks has ten events in it. */
export const FAN_OUT_DELIVERIES_MAX = 1_000;
const TENANTS_PER_TURN = 5;
const EVENTS_PER_TENANT = 10;
/** Leaves the database to deliveries in between. */
const PAUSE_MS = 50;

/** Keeps for later what an event is to be delivered to. */
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

/** What a turn of the fan-out did, and after which tenant the next one goes on. */
export interface FanOutTurn {
  webhookIds: string[];
  lastTenantId: string;
}

/**
 * Writes deliveries of some deferred events, the oldest of the next few tenants. Whatever was erased or deleted
 * meanwhile is left out. Nothing to do is a turn without a last tenant.
 */
export async function takeFanOutTurn(database: Database, afterTenantId: string, now: Date): Promise<FanOutTurn> {
  return database.transaction(async (tx) => {
    const rows = await lockPending(tx, afterTenantId);
    if (rows.length === 0) return { webhookIds: [], lastTenantId: '' };
    const deliveries = await tx.query<PlacedDelivery>({
      name: 'webhook_fan_outs_deliveries',
      text: `SELECT e.tenant_id AS "tenantId", e.event_id AS "eventId", e.event, w.webhook_id AS "webhookId"
               FROM pending_fan_outs p JOIN webhook_events e USING (event_id)
               JOIN webhooks w ON w.webhook_id = ANY(p.webhook_ids) AND w.deleted_at IS NULL
              WHERE p.event_id = ANY($1) ORDER BY e.event_id FOR KEY SHARE OF w`,
      values: [rows.map((row) => row.event_id)],
    });
    await insertDeliveries(tx, deliveries, now);
    await tx.execute('DELETE FROM pending_fan_outs WHERE event_id = ANY($1)', [rows.map((row) => row.event_id)]);
    const webhookIds = [...new Set(deliveries.map(({ webhookId }) => webhookId))];
    return { webhookIds, lastTenantId: rows.at(-1)!.tenant_id };
  });
}

async function lockPending(tx: Tx, afterTenantId: string): Promise<{ tenant_id: string; event_id: string }[]> {
  return tx.query({
    name: 'webhook_fan_outs_lock',
    // Steps from tenant to tenant through the index, however much waits for each.
    text: `WITH RECURSIVE step AS (
             (SELECT tenant_id, 1 AS n FROM pending_fan_outs WHERE tenant_id > $1 ORDER BY tenant_id LIMIT 1)
             UNION ALL
             SELECT following.tenant_id, step.n + 1 FROM step CROSS JOIN LATERAL (
               SELECT tenant_id FROM pending_fan_outs
                WHERE tenant_id > step.tenant_id ORDER BY tenant_id LIMIT 1) following
              WHERE step.n < $2)
           SELECT taken.tenant_id, taken.event_id FROM step CROSS JOIN LATERAL (
             SELECT tenant_id, event_id FROM pending_fan_outs p
              WHERE p.tenant_id = step.tenant_id ORDER BY event_id LIMIT $3 FOR UPDATE SKIP LOCKED) taken
            ORDER BY taken.tenant_id`,
    values: [afterTenantId, TENANTS_PER_TURN, EVENTS_PER_TENANT],
  });
}

export interface FanOut extends Running {
  /** Something was deferred, here or elsewhere. */
  wake(): void;
}

/** Writes deferred deliveries turn by turn, from tenant to tenant and around again, until none are left. */
export function startFanOut(parts: {
  database: Database;
  now: () => Date;
  logger: Logger;
  hint: (webhookId: string) => void;
}): FanOut {
  let running: Promise<void> | null = null;
  let closed = false;
  const run = async () => {
    let lastTenantId = '';
    while (!closed) {
      const turn = await takeFanOutTurn(parts.database, lastTenantId, parts.now());
      for (const webhookId of turn.webhookIds) parts.hint(webhookId);
      // Past the last tenant it begins with the first one again; past the last one from the first, it is done.
      if (turn.lastTenantId === '' && lastTenantId === '') return;
      lastTenantId = turn.lastTenantId;
      await sleep(PAUSE_MS);
    }
  };
  return {
    wake() {
      if (closed) return;
      running ??= run()
        .catch((error: unknown) => parts.logger.warn({ err: error }, 'deferred deliveries wait'))
        .finally(() => {
          running = null;
        });
    },
    async close() {
      closed = true;
      await running;
    },
  };
}
