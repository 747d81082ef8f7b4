import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { createFakeClock } from './fake-clock.ts';
import { type Receiver, startReceiver, status } from './receiver.ts';
import { ingested, newTenant, type RunningWebhooks, runWebhooks } from './webhooks-harness.ts';

const HOUR_MS = 3_600_000;
const clock = createFakeClock();
let webhooks: RunningWebhooks;
let receiver: Receiver;
let tenant: ReturnType<typeof newTenant>;
let id: string;

beforeAll(async () => {
  webhooks = await runWebhooks({
    ports: { clock },
    config: { deactivateAfterHours: 120, deactivateUnprovenAfterHours: 24 },
  });
});
beforeEach(async () => {
  receiver = await startReceiver();
  tenant = newTenant();
  id = (await webhooks.register(tenant, receiver.url)).webhook_id;
});
afterEach(() => receiver.close());
afterAll(() => webhooks.close());

const shown = async () => (await webhooks.call(tenant, 'GET', `/api/v1/webhooks/${id}`)).body;

/** Emits events that the receiver refuses at every attempt, and waits until all of them are dead letters. */
async function deadLetters(count: number): Promise<void> {
  receiver.answer(status(500));
  const { dead_letters: before } = await shown();
  for (let n = 0; n < count; n += 1) await webhooks.emit(tenant, 'ingestCompleted', ingested());
  await eventually(
    async () => {
      const sql = 'SELECT 1 FROM delivery_queue WHERE webhook_id = $1 AND claimed_until IS NOT NULL';
      if ((await webhooks.ask(sql, [id])).length === 0) clock.advance(10_000);
      return (await shown()).dead_letters;
    },
    (found) => found === before + count,
    30_000,
  );
}

async function delivered(): Promise<void> {
  receiver.answer(status(200));
  const eventId = await webhooks.emit(tenant, 'ingestCompleted', ingested());
  await eventually(() => receiver.received.some(({ event }) => event.event_id === eventId));
  await eventually(async () => (await webhooks.deliveries(tenant, id, '?state=delivering')).length === 0);
}

it('a webhook whose endpoint accepts nothing for a day from the first is set inactive, says why, and comes back with all that waited', async () => {
  expect(await shown()).toMatchObject({
    active: true,
    status: 'active',
    failing_since: null,
    inactive_since: null,
    inactive_reason: null,
  });
  await deadLetters(6);
  const failing = await shown();
  expect(failing).toMatchObject({ active: true, status: 'failing', failing_since: expect.any(String) });
  clock.advance(24 * HOUR_MS);
  await deadLetters(1);
  expect(await shown()).toMatchObject({
    active: false,
    status: 'inactive',
    failing_since: failing.failing_since,
    inactive_since: expect.any(String),
    inactive_reason: 'endpoint_failing',
    dead_letters: 7,
  });
  // It is not asked any more, whatever is put into its queue.
  const before = receiver.received.length;
  await webhooks.call(tenant, 'POST', `/api/v1/webhooks/${id}/replay`, {});
  clock.advance(HOUR_MS);
  receiver.answer(status(200));
  expect((await webhooks.call(tenant, 'POST', `/api/v1/webhooks/${id}/test`, {})).status).toBe(409);
  expect(receiver.received).toHaveLength(before);

  const back = await webhooks.call(tenant, 'PATCH', `/api/v1/webhooks/${id}`, { active: true });
  expect(back.body).toMatchObject({
    status: 'active',
    failing_since: null,
    inactive_since: null,
    inactive_reason: null,
  });
  await eventually(
    () => webhooks.deliveries(tenant, id, '?state=delivered'),
    (list) => list.length === 7,
  );
}, 120_000);

it('one that has accepted deliveries before is given five days, and a single success begins them again', async () => {
  await delivered();
  await deadLetters(5);
  clock.advance(119 * HOUR_MS);
  await deadLetters(1);
  expect(await shown()).toMatchObject({ active: true, status: 'failing' });
  await delivered();
  expect(await shown()).toMatchObject({ active: true, status: 'active', failing_since: null });
  clock.advance(2 * HOUR_MS);
  await deadLetters(5);
  expect(await shown()).toMatchObject({ active: true, status: 'failing' });
  clock.advance(120 * HOUR_MS);
  await deadLetters(1);
  expect(await shown()).toMatchObject({ active: false, inactive_reason: 'endpoint_failing' });
}, 120_000);

it('one that is switched off says so, and a new URL begins a new record', async () => {
  await deadLetters(5);
  const change = async (body: object) => (await webhooks.call(tenant, 'PATCH', `/api/v1/webhooks/${id}`, body)).body;
  expect(await change({ active: false })).toMatchObject({ status: 'inactive', inactive_reason: 'switched_off' });
  expect(await change({ description: 'off' })).toMatchObject({ inactive_reason: 'switched_off' });
  expect(await change({ active: true })).toMatchObject({ status: 'active', inactive_reason: null });
  await deadLetters(5);
  expect(await change({ url: receiver.url })).toMatchObject({ status: 'failing' });
  expect(await change({ url: `${receiver.url}/moved` })).toMatchObject({ status: 'active', failing_since: null });
  const off = { url: 'https://hooks.example/', events: ['memory.ingest.completed'], active: false };
  expect((await webhooks.call(tenant, 'POST', '/api/v1/webhooks', off)).body).toMatchObject({
    status: 'inactive',
    inactive_since: expect.any(String),
    inactive_reason: 'switched_off',
  });
}, 60_000);
