import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { type ForkedService, forkService } from './forked-service.ts';
import { commitEvent, registerDirectly } from './killing-steps.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { startEnvironment, newTenant, type Environment } from './webhooks-harness.ts';
import { STEPS } from './steps.ts';

const CLAIM_AND_MORE_MS = 20_000;
/** The broker gives an event to another consumer a minute after it gave it to one that was killed. */
const REDELIVERY_MS = 150_000;

let environment: Environment;
let receiver: Receiver;
let service: ForkedService | null = null;
beforeAll(async () => {
  [environment, receiver] = await Promise.all([startEnvironment(), startReceiver()]);
});
afterAll(async () => {
  await service?.kill9();
  await environment.close();
  await receiver.close();
});

const tenant = newTenant();

it('killed with -9 between any two durable steps, every event arrives, under one id, and every attempt is recorded', async () => {
  const webhookId = await registerDirectly(environment, tenant, receiver.url);
  const eventIds: string[] = [];
  let aheadMs = 0;
  for (const step of STEPS) {
    service = forkService({ config: environment.config, haltAt: step, aheadMs, relay: true });
    eventIds.push(await commitEvent(environment, tenant));
    await service.halted;
    await service.kill9();
    // The next one finds the claims of this one run out.
    aheadMs += CLAIM_AND_MORE_MS;
  }
  service = forkService({ config: environment.config, aheadMs, relay: true });
  const delivered = () =>
    environment.ask<{ event_id: string }>(
      `SELECT event_id FROM deliveries WHERE webhook_id = $1 AND state = 'delivered'`,
      [webhookId],
    );
  const rows = await eventually(delivered, (found) => found.length === eventIds.length, REDELIVERY_MS);
  expect(new Set(rows.map((row) => row.event_id))).toEqual(new Set(eventIds));
  expect(await environment.ask('SELECT 1 FROM delivery_queue')).toEqual([]);
  expect(await environment.ask('SELECT 1 FROM outbox')).toEqual([]);

  const arrivals = Map.groupBy(receiver.received, ({ event }) => event.event_id);
  expect(new Set(arrivals.keys())).toEqual(new Set(eventIds));
  for (const eventId of eventIds) {
    const attempts = await environment.ask<{ outcome: string | null }>(
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
