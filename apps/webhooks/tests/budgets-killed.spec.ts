import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { type ForkedService, forkService } from './forked-service.ts';
import { commitEvent, registerDirectly } from './killing-steps.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { startEnvironment, newTenant, type Environment } from './webhooks-harness.ts';

const PER_SECOND = 5;
const EVENTS = 40;
const KILLS = 3;
/** Claims of a process that was killed come back after fifteen seconds. */
const END_MS = 120_000;

let environment: Environment;
let receiver: Receiver;
let services: ForkedService[] = [];
beforeAll(async () => {
  const fixed = { hostStartPerSecond: PER_SECOND, hostPerSecondMax: PER_SECOND };
  [environment, receiver] = await Promise.all([startEnvironment(fixed), startReceiver()]);
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.kill9()));
  await environment.close();
  await receiver.close();
});

it('two replicas that are killed with -9 again and again send no more together than the budget, and lose nothing', async () => {
  const tenant = newTenant();
  const webhookId = await registerDirectly(environment, tenant, receiver.url);
  const eventIds: string[] = [];
  for (let n = 0; n < EVENTS; n += 1) eventIds.push(await commitEvent(environment, tenant));
  const start = () => forkService({ config: environment.config, relay: true });
  const beganAtMs = Date.now();
  // Read in this order: more may have arrived than was counted, never less time have passed.
  const assertWithinBudget = () => {
    const arrived = receiver.received.length;
    const seconds = (Date.now() - beganAtMs) / 1_000;
    expect(arrived).toBeLessThanOrEqual(PER_SECOND + PER_SECOND * seconds);
  };
  services = [start(), start()];
  // An event that was taken from the broker by a process that was killed would come again only after a minute.
  await eventually(async () => (await environment.ask('SELECT 1 FROM deliveries')).length === EVENTS, Boolean, 30_000);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = receiver.received.length;
    await eventually(() => receiver.received.length > before, Boolean, 30_000);
    await Promise.all(services.map((service) => service.kill9()));
    assertWithinBudget();
    services = [start(), start()];
  }
  await eventually(
    async () => {
      assertWithinBudget();
      await sleep(100);
      const sql = `SELECT event_id FROM deliveries WHERE webhook_id = $1 AND state = 'delivered'`;
      return (await environment.ask(sql, [webhookId])).length === EVENTS;
    },
    Boolean,
    END_MS,
  );
  expect(new Set(receiver.received.map(({ event }) => event.event_id))).toEqual(new Set(eventIds));
  // What came twice was interrupted on its way, and says so.
  const interrupted = await environment.ask(`SELECT 1 FROM delivery_attempts WHERE outcome = 'interrupted'`);
  expect(receiver.received.length - EVENTS).toBeLessThanOrEqual(interrupted.length);
}, 300_000);
