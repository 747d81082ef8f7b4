import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import type { Clock } from '../src/clock.ts';
import { type Receiver, startReceiver, status } from './receiver.ts';
import { ingested, newTenant, type RunningWebhooks, runWebhooks } from './webhooks-harness.ts';

/** Seconds between the attempts. */
const PAUSES = [1, 2, 4, 8, 30];
/** How many seconds of the service pass in one. */
const SPEED = 4;
/** An attempt is never early; this late it may be on a busy machine, by the clock of the spec. */
const LATE_MAX_MS = 5_000;
/** The receiver's clock is read when the request has come in, so two readings may lie a little closer. */
const EARLY_MAX_MS = 50;

/** Real time, only faster. */
function fastClock(): Clock {
  const startedAtMs = Date.now();
  return {
    now: () => new Date(startedAtMs + SPEED * (Date.now() - startedAtMs)),
    after(ms, call) {
      const timer = setTimeout(call, ms / SPEED);
      return () => clearTimeout(timer);
    },
  };
}

let webhooks: RunningWebhooks;
let receiver: Receiver;
beforeAll(async () => {
  webhooks = await runWebhooks({ ports: { clock: fastClock() } });
  receiver = await startReceiver();
});
afterAll(async () => {
  await webhooks.close();
  await receiver.close();
});

it('an event that is refused is sent again 1, 2, 4, 8 and 30 s after each failure, becomes a dead letter, and a replay delivers it', async () => {
  const tenant = newTenant();
  receiver.answer(status(500));
  const { webhook_id: webhookId } = await webhooks.register(tenant, receiver.url);
  const eventId = await webhooks.emit(tenant, 'ingestCompleted', ingested());
  const [dead] = await eventually(
    () => webhooks.deliveries(tenant, webhookId),
    (list) => list[0]?.state === 'dead_lettered',
    100_000,
  );
  const times = receiver.received.map(({ atMs }) => atMs);
  const pauses = times.slice(1).map((atMs, n) => atMs - times[n]!);
  expect(pauses).toHaveLength(PAUSES.length);
  for (const [n, seconds] of PAUSES.entries()) {
    const dueMs = (seconds * 1_000) / SPEED;
    expect(pauses[n]).toBeGreaterThanOrEqual(dueMs - EARLY_MAX_MS);
    expect(pauses[n]).toBeLessThan(dueMs + LATE_MAX_MS);
  }
  expect(new Set(receiver.received.map(({ event }) => event.event_id))).toEqual(new Set([eventId]));
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([eventId]));

  receiver.answer(status(200));
  const path = `/api/v1/webhooks/${webhookId}/deliveries/${dead.delivery_id}/replay`;
  expect((await webhooks.call(tenant, 'POST', path, {})).status).toBe(202);
  const [replayed] = await eventually(
    () => webhooks.deliveries(tenant, webhookId),
    (list) => list[0]?.state === 'delivered',
  );
  expect(receiver.received).toHaveLength(7);
  expect(receiver.received.at(-1)!.event.event_id).toBe(eventId);
  expect(replayed.attempts.at(-1)).toMatchObject({ round: 2, retry: 0, outcome: 'delivered', status: 200 });
}, 150_000);
