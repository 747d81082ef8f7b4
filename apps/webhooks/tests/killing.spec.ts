import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { encodeEvent, newId } from '@cairn/contracts';
import { appendToOutbox } from '@cairn/postgres';
import { createSealing } from '@cairn/sealing';
import { eventually } from '@cairn/testing';
import { readFile } from 'node:fs/promises';
import { type ForkedService, forkService } from './forked-service.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { ingested, makeWorld, newTenant, type World, WORKSPACE } from './running-webhooks.ts';
import { STEPS } from './steps.ts';

const CLAIM_AND_MORE_MS = 20_000;
/** The broker gives an event to another consumer a minute after it gave it to one that was killed. */
const REDELIVERY_MS = 150_000;

let world: World;
let receiver: Receiver;
let service: ForkedService | null = null;
beforeAll(async () => {
  [world, receiver] = await Promise.all([makeWorld(), startReceiver()]);
});
afterAll(async () => {
  await service?.kill9();
  await world.close();
  await receiver.close();
});

const tenant = newTenant();

async function registerDirectly(): Promise<string> {
  const id = newId('webhook');
  const { keys } = JSON.parse(await readFile(world.config.keyEncryptionKeysFile, 'utf8'));
  const sealed = await (await createSealing(keys)).seal(`webhook ${id}`, 'whsec_c2VjcmV0');
  await world.ask(
    `INSERT INTO webhooks (tenant_id, webhook_id, url, events, description, active, auto_replay, livemode, secret_sealed)
     VALUES ($1, $2, $3, '{memory.ingest.completed}', '', true, false, true, $4)`,
    [tenant.tenantId, id, receiver.url, sealed],
  );
  return id;
}

/** What a service does whose event it is: the event commits with what made it true. */
async function commitEvent(): Promise<string> {
  const event = encodeEvent(
    'ingestCompleted',
    { tenantId: tenant.tenantId, livemode: true, workspaceId: WORKSPACE, memoryId: newId('memory') },
    ingested(),
  );
  await world.database.worker.transaction((tx) => appendToOutbox(tx, event));
  return event.eventId;
}

it('killed with -9 between any two durable steps, every event arrives, under one id, and every attempt is recorded', async () => {
  const webhookId = await registerDirectly();
  const eventIds: string[] = [];
  let aheadMs = 0;
  for (const step of STEPS) {
    service = forkService({ config: world.config, haltAt: step, aheadMs, relay: true });
    eventIds.push(await commitEvent());
    await service.halted;
    await service.kill9();
    // The next one finds the claims of this one run out.
    aheadMs += CLAIM_AND_MORE_MS;
  }
  service = forkService({ config: world.config, aheadMs, relay: true });
  const delivered = () =>
    world.ask<{ event_id: string }>(`SELECT event_id FROM deliveries WHERE webhook_id = $1 AND state = 'delivered'`, [
      webhookId,
    ]);
  const rows = await eventually(delivered, (found) => found.length === eventIds.length, REDELIVERY_MS);
  expect(new Set(rows.map((row) => row.event_id))).toEqual(new Set(eventIds));
  expect(await world.ask('SELECT 1 FROM delivery_queue')).toEqual([]);
  expect(await world.ask('SELECT 1 FROM outbox')).toEqual([]);

  const arrivals = Map.groupBy(receiver.received, ({ event }) => event.event_id);
  expect(new Set(arrivals.keys())).toEqual(new Set(eventIds));
  for (const eventId of eventIds) {
    const attempts = await world.ask<{ outcome: string | null }>(
      `SELECT a.outcome FROM delivery_attempts a JOIN deliveries d USING (delivery_id) WHERE d.event_id = $1 ORDER BY attempt`,
      [eventId],
    );
    const sent = arrivals.get(eventId)!;
    expect(sent.length).toBeGreaterThanOrEqual(1);
    // What arrived was written down before it was sent; a kill may leave one that never was.
    expect(attempts.length).toBeGreaterThanOrEqual(sent.length);
    expect(attempts.at(-1)).toEqual({ outcome: 'delivered' });
    for (const { outcome } of attempts.slice(0, -1)) expect(outcome).toBe('interrupted');
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  }
  // The steps after the request did make repeats; a walk that met none would prove nothing of them.
  expect(receiver.received.length).toBeGreaterThan(eventIds.length);
}, 300_000);
