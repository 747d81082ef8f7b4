import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { createFakeClock } from './fake-clock.ts';
import { type Receiver, startReceiver, status } from './receiver.ts';
import { ingested, newTenant, type RunningWebhooks, runWebhooks } from './webhooks-harness.ts';

const START = 10;
/** First attempts at once at an endpoint that accepts nothing; its window of attempts in flight is smaller. */
const UNPROVEN_BURST = 3 * START;
const WAITING = 1_000;
const clock = createFakeClock();
let webhooks: RunningWebhooks;
let receiver: Receiver;
let victim: Receiver;
let tenant: ReturnType<typeof newTenant>;
let id: string;

beforeAll(async () => {
  webhooks = await runWebhooks({ replicas: 2, ports: { clock }, config: { hostStartPerSecond: START } });
});
beforeEach(async () => {
  receiver = await startReceiver();
  victim = await startReceiver();
  for (const one of [receiver, victim]) one.answer(status(500));
  tenant = newTenant();
  id = (await webhooks.register(tenant, receiver.url)).webhook_id;
});
afterEach(() => Promise.all([receiver.close(), victim.close()]));
afterAll(() => webhooks.close());

const change = (body: object) => webhooks.call(tenant, 'PATCH', `/api/v1/webhooks/${id}`, body);
const waitingFirst = async () =>
  (await webhooks.ask('SELECT 1 FROM delivery_queue WHERE webhook_id = $1 AND retry = 0', [id])).length;

/** Retries that have been due for long, all of one webhook. */
async function collectRetries(): Promise<void> {
  await change({ active: false });
  await webhooks.ask(
    `WITH made AS (
       INSERT INTO deliveries (tenant_id, delivery_id, webhook_id, event_id, event, attempts)
       SELECT $1, $2 || '_dlv_' || n, $2, $2 || '_evt_' || n, 'memory.ingest.completed', 1
         FROM generate_series(1, $4) n RETURNING *),
     body AS (
       INSERT INTO webhook_events (tenant_id, event_id, event, memory_id, body)
       SELECT $1, event_id, event, 'mem_1', '{"event_id":"' || event_id || '"}' FROM made)
     INSERT INTO delivery_queue (tenant_id, delivery_id, webhook_id, event_id, due_at, attempts, round, retry)
     SELECT tenant_id, delivery_id, webhook_id, event_id, $3, 1, 1, 1 FROM made`,
    [tenant.tenantId, id, clock.now(), WAITING],
  );
  clock.advance(60_000);
}

it.each([
  ['another URL', () => victim, (url: string) => ({ active: true, url })],
  ['the same URL once it is switched on', () => receiver, () => ({ active: true })],
])(
  'retries that have waited go to %s no faster than first attempts, and each has the whole schedule again',
  async (_what, target, body) => {
    await collectRetries();
    await change(body(victim.url));
    await eventually(waitingFirst, (count) => count >= WAITING - 2 * UNPROVEN_BURST, 30_000);
    await eventually(
      async () => (await webhooks.ask('SELECT 1 FROM delivery_queue WHERE claimed_until IS NOT NULL')).length === 0,
    );
    expect(target().received.length).toBeGreaterThan(0);
    expect(target().received.length).toBeLessThanOrEqual(UNPROVEN_BURST);
    const rounds = await webhooks.ask(
      `SELECT DISTINCT a.round, a.retry FROM delivery_attempts a JOIN deliveries d USING (delivery_id) WHERE d.webhook_id = $1`,
      [id],
    );
    expect(rounds).toEqual([{ round: 2, retry: 0 }]);
    // The pause is over for the next spec.
    await change({ active: false });
    clock.advance(60_000);
  },
  60_000,
);

it('an attempt that is in flight while the URL changes is followed by a first attempt at the new one', async () => {
  let end: () => void = () => undefined;
  receiver.answer((response) => {
    end = () => response.writeHead(500).end();
  });
  await webhooks.emit(tenant, 'ingestCompleted', ingested());
  await eventually(() => receiver.received.length === 1);
  await change({ url: `${victim.url}/moved` });
  end();
  await eventually(
    () => webhooks.deliveries(tenant, id),
    ([one]) => one?.state === 'pending',
  );
  clock.advance(1_000);
  const [delivery] = await eventually(
    () => webhooks.deliveries(tenant, id),
    ([one]) => one.attempts.length === 2 && one.attempts[1].outcome !== null,
  );
  expect(victim.received).toHaveLength(1);
  expect(delivery.attempts.map((one: { round: number; retry: number }) => [one.round, one.retry])).toEqual([
    [1, 0],
    [2, 0],
  ]);
}, 30_000);
