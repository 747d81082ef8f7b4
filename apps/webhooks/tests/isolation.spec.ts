import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { type Answering, type Receiver, startReceiver, status } from './receiver.ts';
import { ingested, newTenant, type RunningWebhooks, runWebhooks } from './webhooks-harness.ts';

let webhooks: RunningWebhooks;
const receivers: Receiver[] = [];
beforeAll(async () => {
  webhooks = await runWebhooks({ config: { inFlightMax: 8, endpointConcurrencyMax: 4 } });
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
afterAll(() => webhooks.close());

async function receiver(): Promise<Receiver> {
  const made = await startReceiver();
  receivers.push(made);
  return made;
}

it.each<[string, Answering]>([
  ['never answer', () => undefined],
  ['take an event after four seconds', (response) => setTimeout(() => response.writeHead(200).end(), 4_000)],
])(
  'endpoints that %s, more of them than slots, do not delay one that responds soon',
  async (_how, answering) => {
    const tenant = newTenant();
    const slow = await Promise.all(Array.from({ length: 12 }, receiver));
    for (const one of slow) {
      one.answer(answering);
      await webhooks.register(tenant, one.url, { events: ['memory.ingest.completed'] });
    }
    // They are known to be slow, and have much waiting.
    for (let n = 0; n < 20; n += 1) await webhooks.emit(tenant, 'ingestCompleted', ingested());
    await eventually(() => slow.filter(({ received }) => received.length > 0).length > 8, Boolean, 40_000);
    const healthy = await receiver();
    await webhooks.register(tenant, healthy.url, { events: ['memory.entity.created'] });
    const sent = () => slow.reduce((sum, { received }) => sum + received.length, 0);
    const before = sent();
    for (let n = 0; n < 30; n += 1)
      await webhooks.emit(tenant, 'entityCreated', { entityId: `e${n}`, name: 'n', type: 't' });
    await eventually(() => healthy.received.length === 30, Boolean, 90_000);
    // The thirty came while the slow ones took their seconds each, not after them.
    expect(sent() - before).toBeLessThan(60);
    for (const { webhook_id: id } of (await webhooks.call(tenant, 'GET', '/api/v1/webhooks')).body.webhooks)
      await webhooks.call(tenant, 'DELETE', `/api/v1/webhooks/${id}`);
  },
  180_000,
);

it('one endpoint is sent at most its share at once', async () => {
  const tenant = newTenant();
  const slow = await receiver();
  let open = 0;
  let most = 0;
  slow.answer((response) => {
    most = Math.max(most, (open += 1));
    setTimeout(() => {
      open -= 1;
      response.writeHead(200).end();
    }, 30);
  });
  const { webhook_id: id } = await webhooks.register(tenant, slow.url);
  for (let n = 0; n < 60; n += 1) await webhooks.emit(tenant, 'ingestCompleted', ingested());
  await eventually(
    () => webhooks.deliveries(tenant, id, '?state=delivered&limit=200'),
    (list) => list.length === 60,
    30_000,
  );
  expect(most).toBe(4);
  expect(slow.received).toHaveLength(60);
}, 60_000);

it('what policy refuses is a dead letter at once: it is not tried again', async () => {
  const strict = await runWebhooks({ config: { allowPrivateNetwork: false } });
  try {
    const tenant = newTenant();
    const trap = await receiver();
    // A name that leads inside is only known when it is asked for; here the address was let in before the policy was.
    const { webhook_id: id } = await strict.register(tenant, 'https://hooks.example/');
    await strict.ask('UPDATE webhooks SET url = $2 WHERE webhook_id = $1', [id, trap.url]);
    await strict.emit(tenant, 'ingestCompleted', ingested());
    const [dead] = await eventually(
      () => strict.deliveries(tenant, id),
      ([one]) => one?.state === 'dead_lettered',
    );
    expect(dead.attempts).toMatchObject([{ outcome: 'not_allowed', retry: 0, status: null }]);
    expect(dead.attempts[0].error).not.toContain('private');
    expect(trap.received).toEqual([]);
  } finally {
    await strict.close();
  }
}, 60_000);

it('an endpoint that answers again is asked for more and more at once', async () => {
  const tenant = newTenant();
  const flaky = await receiver();
  flaky.answer(status(500));
  const { webhook_id: id } = await webhooks.register(tenant, flaky.url);
  for (let n = 0; n < 6; n += 1) await webhooks.emit(tenant, 'ingestCompleted', ingested());
  await eventually(() => flaky.received.length >= 6, Boolean, 30_000);
  flaky.answer(status(200));
  await eventually(
    () => webhooks.deliveries(tenant, id, '?state=delivered'),
    (list) => list.length === 6,
    30_000,
  );
}, 60_000);
