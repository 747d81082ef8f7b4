import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { eventually, testIdentity } from '@cairn/testing';
import type { Config } from '../src/config.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { type Receiver, startReceiver, status } from './receiver.ts';
import { ingested, newTenant, type RunningWebhooks, runWebhooks } from './webhooks-harness.ts';

const START = 10;
const HOST_MAX = 40;
/** First attempts at endpoints of one tenant that accept nothing, to one target: at once, and in each second. */
const UNPROVEN_BURST = 3 * START;
const UNPROVEN_PER_SECOND = START / 5;
/** Attempts at one delivery. */
const ATTEMPTS_MAX = 6;
const INGESTED = { events: ['memory.ingest.completed'] };

let webhooks: RunningWebhooks;
let clock: FakeClock;
const receivers: Receiver[] = [];
afterEach(async () => {
  await webhooks.close();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

/** The service over a clock that stands: whatever arrives while it does was sent without waiting. */
async function run(config: Partial<Config>, replicas = 2): Promise<void> {
  clock = createFakeClock();
  webhooks = await runWebhooks({ replicas, ports: { clock }, config });
}

async function receiver(answer = 200): Promise<Receiver> {
  const made = await startReceiver();
  made.answer(status(answer));
  receivers.push(made);
  return made;
}

const testTenant = () => testIdentity({ tenantId: newId('tenant'), livemode: false, kind: 'test' });

/** Publishes events and waits until all their deliveries are written. */
async function emit(tenant: Identity, events: number, webhooksOfTenant = 1): Promise<void> {
  const written = async () => {
    const sql = 'SELECT count(*) AS count FROM deliveries WHERE tenant_id = $1';
    return Number((await webhooks.ask<{ count: number }>(sql, [tenant.tenantId]))[0]!.count);
  };
  const before = await written();
  for (let n = 0; n < events; n += 1) await webhooks.emit(tenant, 'ingestCompleted', ingested());
  await eventually(written, (count) => count === before + events * webhooksOfTenant, 30_000);
}

const firstAttempts = async () => (await webhooks.ask('SELECT 1 FROM delivery_attempts WHERE retry = 0')).length;
const total = () => receivers.reduce((sum, { received }) => sum + received.length, 0);

/** Until no attempt is under way any more and none begins by itself. */
async function quiet(): Promise<void> {
  for (let before = -1; before !== total();) {
    before = total();
    await sleep(60);
    await eventually(
      async () => (await webhooks.ask('SELECT 1 FROM delivery_queue WHERE claimed_until IS NOT NULL')).length === 0,
    );
  }
}

/**
 * Lets seconds pass, one quarter after the other, until one is as wanted; returns how many arrived in each. At no time
 * has more arrived than the rate allows, and one second of it at once.
 */
async function pass(secondsMax: number, perSecondMax = Infinity, isEnough?: (inSecond: number) => boolean) {
  const arrived: number[] = [];
  const begin = total();
  for (let second = 1; second <= secondsMax; second += 1) {
    const before = total();
    for (let quarter = 0; quarter < 4; quarter += 1) {
      clock.advance(250);
      await quiet();
    }
    arrived.push(total() - before);
    expect(total() - begin).toBeLessThanOrEqual(perSecondMax * (second + 1));
    if (isEnough?.(arrived.at(-1)!) === true) return arrived;
  }
  if (isEnough !== undefined) throw new Error(`not so within ${secondsMax} seconds: ${arrived.join(' ')}`);
  return arrived;
}

it('a receiver that accepts nothing is sent few first attempts, and each event six times at most, however many webhooks of a tenant lead to it, over all replicas', async () => {
  await run({ hostStartPerSecond: START, hostPerSecondMax: 500 });
  const tenant = testTenant();
  const victim = await receiver(404);
  for (let n = 0; n < 100; n += 1) await webhooks.register(tenant, `${victim.url}/${n}`, INGESTED);
  await emit(tenant, 20, 100);
  await eventually(() => victim.received.length > 0);
  await quiet();
  expect(victim.received.length).toBeLessThanOrEqual(UNPROVEN_BURST);
  for (let second = 1; second <= 20; second += 1) {
    await pass(1);
    const first = await firstAttempts();
    expect(first).toBeLessThanOrEqual(UNPROVEN_BURST + UNPROVEN_PER_SECOND * second);
    expect(victim.received.length).toBeLessThanOrEqual(first * ATTEMPTS_MAX);
  }
  // What waited was not tried: waiting costs no retry.
  const waiting = await webhooks.ask('SELECT 1 FROM delivery_queue WHERE attempts = 0 AND retry > 0');
  expect(waiting).toEqual([]);
}, 120_000);

it('many host names on one address share what that address may be sent', async () => {
  await run({ hostStartPerSecond: START, hostPerSecondMax: 500 });
  const tenant = newTenant();
  const victim = await receiver(404);
  for (let n = 0; n < 20; n += 1)
    await webhooks.register(tenant, `http://name-${n}.localhost:${victim.port}/`, INGESTED);
  await emit(tenant, 5, 20);
  await eventually(() => victim.received.length > 0);
  await quiet();
  expect(victim.received.length).toBeLessThanOrEqual(UNPROVEN_BURST);
}, 60_000);

it('a host that accepts is sent more and more up to the ceiling, and an endpoint that fails then gets few first attempts', async () => {
  await run({ hostStartPerSecond: START, hostPerSecondMax: HOST_MAX });
  const tenant = newTenant();
  const target = await receiver();
  await webhooks.register(tenant, target.url, INGESTED);
  await emit(tenant, 1_500);
  await quiet();
  // It begins as a new host: one burst, and a rate that has grown once at most.
  await pass(1, START);
  await pass(30, HOST_MAX, (inSecond) => inSecond > START * 2);
  target.answer(status(500));
  await pass(2);
  const before = await firstAttempts();
  await pass(5);
  // What is left of the burst, and the rate.
  expect((await firstAttempts()) - before).toBeLessThanOrEqual(UNPROVEN_BURST + UNPROVEN_PER_SECOND * 5);
}, 120_000);

it('a flood of one tenant leaves capacity to others: at its own target, and at a target of theirs without any wait', async () => {
  await run({ hostStartPerSecond: START, hostPerSecondMax: START });
  const [flooding, other] = [newTenant(), newTenant()];
  const [shared, own] = [await receiver(), await startReceiver(0, '127.0.0.2')];
  receivers.push(own);
  for (let n = 0; n < 20; n += 1) await webhooks.register(flooding, `${shared.url}/${n}`, INGESTED);
  await emit(flooding, 20, 20);
  await eventually(() => shared.received.length === START);
  await webhooks.register(other, `${shared.url}/other`, INGESTED);
  await webhooks.register(other, own.url, INGESTED);
  await emit(other, 3, 2);
  // The clock stands: these did not wait for anything of the flood.
  await eventually(() => own.received.length === 3);
  const before = shared.received.length;
  await pass(1, START);
  const next = await eventually(
    () => shared.received.slice(before).map(({ event }) => event.scope['tenant_id']),
    (tenantIds) => tenantIds.filter((id) => id === other.tenantId).length === 3,
  );
  // In turns, not after the 390 that were there before.
  expect(next.lastIndexOf(other.tenantId)).toBeLessThan(8);
}, 60_000);

it('test environments have one budget together, and live deliveries do not wait for it', async () => {
  await run({ testPerSecondMax: 5 });
  const live = newTenant();
  for (let n = 0; n < 3; n += 1) {
    const tenant = testTenant();
    await webhooks.register(tenant, (await receiver()).url, INGESTED);
    await emit(tenant, 10);
  }
  await eventually(() => total() === 5);
  await quiet();
  expect(total()).toBe(5);
  const liveReceiver = await receiver();
  await webhooks.register(live, liveReceiver.url, INGESTED);
  await emit(live, 30);
  await eventually(() => liveReceiver.received.length === 30);
  const before = total();
  await pass(2, 5);
  await eventually(() => total() > before);
}, 60_000);

it.each([
  ['host', { hostInFlightMax: 3 }],
  ['tenant', { tenantInFlightMax: 3 }],
])(
  'no more requests are in flight to one %s than allowed, over all replicas',
  async (_what, limits) => {
    await run(limits);
    const tenant = newTenant();
    const slow = await receiver();
    let open = 0;
    let most = 0;
    slow.answer((response) => {
      most = Math.max(most, (open += 1));
      setTimeout(() => {
        open -= 1;
        response.writeHead(200).end();
      }, 20);
    });
    for (let n = 0; n < 6; n += 1) await webhooks.register(tenant, `${slow.url}/${n}`, INGESTED);
    await emit(tenant, 5, 6);
    await eventually(
      () => {
        clock.advance(50);
        return slow.received.length === 30;
      },
      Boolean,
      30_000,
    );
    expect(most).toBeLessThanOrEqual(3);
  },
  60_000,
);

it('a replay of all dead letters is spread like any other deliveries', async () => {
  await run({ hostStartPerSecond: START, hostPerSecondMax: START });
  const tenant = newTenant();
  const target = await receiver();
  const { webhook_id: id } = await webhooks.register(tenant, target.url, INGESTED);
  await webhooks.ask(
    `WITH made AS (
       INSERT INTO deliveries (tenant_id, delivery_id, webhook_id, event_id, event, state, settled_at)
       SELECT $1, 'dlv_' || n, $2, 'evt_' || n, 'memory.ingest.completed', 'dead_lettered', now()
         FROM generate_series(1, 200) n RETURNING *),
     body AS (
       INSERT INTO webhook_events (tenant_id, event_id, event, memory_id, body)
       SELECT $1, event_id, event, '', '{"event_id":"' || event_id || '"}' FROM made)
     INSERT INTO dead_letters SELECT tenant_id, delivery_id, webhook_id, $3 FROM made`,
    [tenant.tenantId, id, clock.now()],
  );
  const replay = await webhooks.call(tenant, 'POST', `/api/v1/webhooks/${id}/replay`, {});
  expect(replay.body).toEqual({ replayed: 200 });
  await eventually(() => target.received.length === START);
  await quiet();
  expect(target.received.length).toBe(START);
  await pass(3, START);
}, 60_000);
