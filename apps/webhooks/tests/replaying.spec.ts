import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WEBHOOK_EVENTS, webhookBodySchema, type WebhookEvent } from '@cairn/contracts';
import { eventually } from '@cairn/testing';
import { createFakeClock } from './fake-clock.ts';
import { type Receiver, startReceiver, status } from './receiver.ts';
import { ingested, newTenant, type RunningWebhooks, runWebhooks, settled } from './webhooks-harness.ts';
import { deleteExpired } from '../src/erasure/delete-expired.ts';

const clock = createFakeClock();
const SCHEDULE_MS = [1_000, 2_000, 4_000, 8_000, 30_000];
let webhooks: RunningWebhooks;
let receiver: Receiver;
let tenant: ReturnType<typeof newTenant>;
let id: string;

beforeAll(async () => {
  webhooks = await runWebhooks({ replicas: 2, ports: { clock, deliveryTimeoutMs: 2_000 } });
});
beforeEach(async () => {
  receiver = await startReceiver();
  tenant = newTenant();
  id = (await webhooks.register(tenant, receiver.url)).webhook_id;
});
afterEach(() => receiver.close());
afterAll(() => webhooks.close());

const post = (path: string, body: object = {}, replica = 0) =>
  webhooks.call(tenant, 'POST', `/api/v1/webhooks/${id}${path}`, body, { replica });

/** Lets so many events fail at every attempt. */
async function deadLetters(count: number) {
  receiver.answer(status(500));
  for (let n = 0; n < count; n += 1) await webhooks.emit(tenant, 'ingestCompleted', ingested());
  for (const [n, delayMs] of [...SCHEDULE_MS, 0].entries()) {
    await eventually(
      () => webhooks.deliveries(tenant, id, '?limit=200'),
      (list) =>
        list.length === count &&
        list.every((one) => one.attempts.length === n + 1 && one.attempts.at(-1).outcome !== null),
      30_000,
    );
    clock.advance(delayMs);
  }
  return eventually(
    () => webhooks.deliveries(tenant, id, '?state=dead_lettered&limit=200'),
    (list) => list.length === count,
  );
}

describe('a replay', () => {
  it('of one dead letter begins a new round of the whole schedule', async () => {
    const [dead] = await deadLetters(1);
    const again = await post(`/deliveries/${dead.delivery_id}/replay`);
    expect(again).toMatchObject({ status: 202, body: { delivery_id: dead.delivery_id, dead_lettered_at: null } });
    const waiting = await eventually(
      () => webhooks.deliveries(tenant, id),
      // It is pending before the new round's first attempt, too.
      ([one]) => one.state === 'pending' && one.attempts.at(-1).round === 2 && one.attempts.at(-1).outcome !== null,
    );
    expect(waiting[0].attempts.at(-1)).toMatchObject({ round: 2, retry: 0, outcome: 'refused_by_receiver' });
    receiver.answer(status(200));
    clock.advance(1_000);
    const [delivered] = await settled(webhooks, tenant, id, 1);
    expect(delivered.state).toBe('delivered');
    expect(delivered.attempts.at(-1)).toMatchObject({ round: 2, retry: 1, outcome: 'delivered' });
  });

  it('of named ones, and of all, takes those and counts them', async () => {
    const dead = await deadLetters(5);
    expect((await webhooks.call(tenant, 'GET', `/api/v1/webhooks/${id}`)).body.dead_letters).toBe(5);
    receiver.answer(status(200));
    const named = dead.slice(0, 2).map((one) => one.delivery_id);
    expect((await post('/replay', { delivery_ids: named })).body).toEqual({ replayed: 2 });
    await eventually(
      () => webhooks.deliveries(tenant, id, '?state=delivered'),
      (list) => list.length === 2,
    );
    expect((await post('/replay', { event: 'memory.entity.created' })).body).toEqual({ replayed: 0 });
    expect((await post('/replay')).body).toEqual({ replayed: 3 });
    const all = await settled(webhooks, tenant, id, 5);
    expect(all.every((one) => one.state === 'delivered')).toBe(true);
    expect((await post('/replay')).body).toEqual({ replayed: 0 });
    expect((await webhooks.call(tenant, 'GET', `/api/v1/webhooks/${id}`)).body.dead_letters).toBe(0);
  });

  it('asked for many times at once, on two replicas, sends once', async () => {
    const [dead] = await deadLetters(1);
    const before = receiver.received.length;
    receiver.answer((response) => setTimeout(() => response.writeHead(200).end(), 500));
    const asked = await Promise.all(
      Array.from({ length: 10 }, (_value, n) =>
        n % 3 === 0 ? post('/replay', {}, n % 2) : post(`/deliveries/${dead.delivery_id}/replay`, {}, n % 2),
      ),
    );
    expect(asked.every((answer) => answer.status === 202)).toBe(true);
    const [delivered] = await settled(webhooks, tenant, id, 1);
    expect(delivered.state).toBe('delivered');
    expect(receiver.received.length).toBe(before + 1);
  });

  it('and an automatic retry do not double each other: a waiting retry becomes a first attempt, one under way is left alone', async () => {
    receiver.answer(status(500));
    await webhooks.emit(tenant, 'ingestCompleted', ingested());
    const [waiting] = await eventually(
      () => webhooks.deliveries(tenant, id),
      ([one]) => one?.state === 'pending' && one.attempts.length === 1,
    );
    receiver.answer((response) => setTimeout(() => response.writeHead(200).end(), 500));
    const path = `/deliveries/${waiting.delivery_id}/replay`;
    await post(path);
    await eventually(() => receiver.received.length === 2);
    expect((await post(path, {}, 1)).body.state).toBe('delivering');
    // Past its retry, and not past its claim.
    clock.advance(10_000);
    const [delivered] = await settled(webhooks, tenant, id, 1);
    expect(receiver.received).toHaveLength(2);
    expect(delivered.attempts.map((one: { round: number; retry: number }) => [one.round, one.retry])).toEqual([
      [1, 0],
      [2, 0],
    ]);
  });

  it('of what was delivered sends it again', async () => {
    await webhooks.emit(tenant, 'ingestCompleted', ingested());
    const [delivered] = await settled(webhooks, tenant, id, 1);
    await post(`/deliveries/${delivered.delivery_id}/replay`);
    await eventually(() => receiver.received.length === 2);
    expect(receiver.received[1]!.event.event_id).toBe(receiver.received[0]!.event.event_id);
  });
});

describe('automatic replay', () => {
  it('delivers dead letters once the endpoint answers again, when that was chosen', async () => {
    await deadLetters(3);
    receiver.answer(status(200));
    await webhooks.emit(tenant, 'ingestCompleted', ingested());
    await eventually(
      () => webhooks.deliveries(tenant, id, '?state=delivered'),
      (list) => list.length === 1,
    );
    expect(await webhooks.deliveries(tenant, id, '?state=dead_lettered')).toHaveLength(3);
    await webhooks.call(tenant, 'PATCH', `/api/v1/webhooks/${id}`, { auto_replay: true });
    await webhooks.emit(tenant, 'ingestCompleted', ingested());
    await eventually(
      () => webhooks.deliveries(tenant, id, '?state=delivered'),
      (list) => list.length === 5,
    );
  });

  it('goes on to the last of many, though nothing else is to be delivered', async () => {
    for (let n = 0; n < 230; n += 1) await webhooks.emit(tenant, 'ingestCompleted', ingested());
    const delivered = async () => {
      const sql = `SELECT count(*) AS count FROM deliveries WHERE webhook_id = $1 AND state = 'delivered'`;
      return Number((await webhooks.ask<{ count: number }>(sql, [id]))[0]!.count);
    };
    await eventually(delivered, (count) => count === 230, 30_000);
    await webhooks.ask(
      `WITH dead AS (UPDATE deliveries SET state = 'dead_lettered' WHERE webhook_id = $1 RETURNING *)
       INSERT INTO dead_letters SELECT tenant_id, delivery_id, webhook_id, settled_at FROM dead`,
      [id],
    );
    await webhooks.call(tenant, 'PATCH', `/api/v1/webhooks/${id}`, { auto_replay: true });
    await webhooks.emit(tenant, 'ingestCompleted', ingested());
    await eventually(delivered, (count) => count === 201, 30_000);
    clock.advance(1_000);
    await eventually(delivered, (count) => count === 231, 30_000);
    expect(new Set(receiver.received.slice(230).map(({ event }) => event.event_id)).size).toBe(231);
  }, 120_000);

  it('gives an event that is never taken up after three times', async () => {
    await webhooks.call(tenant, 'PATCH', `/api/v1/webhooks/${id}`, { auto_replay: true });
    const [dead] = await deadLetters(1);
    receiver.answer((response, received) =>
      response.writeHead(received.event.event_id === dead.event_id ? 500 : 200).end(),
    );
    let good = 0;
    const deliverGood = async () => {
      good += 1;
      await webhooks.emit(tenant, 'ingestCompleted', ingested());
      await eventually(
        () => webhooks.deliveries(tenant, id, '?state=delivered'),
        (list) => list.length === good,
      );
    };
    const shown = async () =>
      (await webhooks.deliveries(tenant, id, '?limit=200')).find((one) => one.delivery_id === dead.delivery_id);
    for (let round = 2; round <= 4; round += 1) {
      await deliverGood();
      // The whole schedule of the replay, and the pause between two.
      for (let one = await shown(); one.attempts.at(-1).round < round || one.state !== 'dead_lettered';) {
        clock.advance(1_000);
        await new Promise((resolve) => setTimeout(resolve, 15));
        one = await shown();
      }
    }
    for (let further = 0; further < 3; further += 1) {
      await deliverGood();
      for (let second = 0; second < 20; second += 1) {
        clock.advance(1_000);
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    }
    expect((await shown()).attempts.at(-1).round).toBe(4);
  }, 120_000);
});

describe('a test ping', () => {
  it('is sent now, signed, once, and says how it was taken', async () => {
    receiver.answer(status(202, 'thanks'));
    const ping = await post('/test');
    expect(ping).toMatchObject({
      status: 200,
      body: { event: 'webhook.test', state: 'delivered', attempts: [{ status: 202, answer: 'thanks', retry: 0 }] },
    });
    expect(receiver.received[0]!.event).toMatchObject({ event: 'webhook.test', payload: { webhook_id: id } });
    expect(receiver.received[0]!.headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/);
  });

  it('that fails is neither retried nor a dead letter', async () => {
    receiver.answer(status(500));
    expect((await post('/test')).body).toMatchObject({ state: 'test_failed', attempts: [{ status: 500 }] });
    clock.advance(3_600_000);
    expect((await post('/replay')).body).toEqual({ replayed: 0 });
    expect(receiver.received).toHaveLength(1);
  });

  it('of a webhook that is switched off is refused', async () => {
    await webhooks.call(tenant, 'PATCH', `/api/v1/webhooks/${id}`, { active: false });
    expect(await post('/test')).toMatchObject({ status: 409 });
  });
});

describe('what waits', () => {
  it('goes on waiting while the webhook is switched off, and is delivered when it is switched on', async () => {
    receiver.answer(status(500));
    await webhooks.emit(tenant, 'ingestCompleted', ingested());
    await eventually(
      () => webhooks.deliveries(tenant, id),
      ([one]) => one?.state === 'pending' && one.attempts.length === 1,
    );
    const switched = (active: boolean) => webhooks.call(tenant, 'PATCH', `/api/v1/webhooks/${id}`, { active });
    await switched(false);
    receiver.answer(status(200));
    clock.advance(60_000);
    await webhooks.emit(tenant, 'ingestCompleted', ingested());
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(receiver.received).toHaveLength(1);
    await switched(true);
    expect((await settled(webhooks, tenant, id, 1))[0].state).toBe('delivered');
  });

  it('of a deleted webhook is never sent, and its rows are erased', async () => {
    receiver.answer(status(500));
    await webhooks.emit(tenant, 'ingestCompleted', ingested());
    await eventually(
      () => webhooks.deliveries(tenant, id),
      ([one]) => one?.state === 'pending' && one.attempts.length === 1,
    );
    await webhooks.call(tenant, 'DELETE', `/api/v1/webhooks/${id}`);
    clock.advance(60_000);
    await eventually(
      async () => (await webhooks.ask('SELECT 1 FROM deliveries WHERE webhook_id = $1', [id])).length === 0,
    );
    // Its own row stays for as long as a transaction may still see it.
    await webhooks.ask("UPDATE webhooks SET deleted_at = now() - interval '6 minutes' WHERE webhook_id = $1", [id]);
    await deleteExpired(webhooks.database.worker, { deliveredRetentionDays: 30, deadLetterRetentionDays: 30 });
    for (const table of ['delivery_queue', 'webhooks'])
      expect(await webhooks.ask(`SELECT 1 FROM ${table} WHERE webhook_id = $1`, [id])).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });
});

describe('the list of deliveries', () => {
  it('is newest first, in pages, and by state and event', async () => {
    receiver.answer((response, { event }) =>
      response.writeHead(event.event === 'memory.entity.created' ? 500 : 200).end(),
    );
    for (let n = 0; n < 5; n += 1) await webhooks.emit(tenant, 'ingestCompleted', ingested());
    await webhooks.emit(tenant, 'entityCreated', { entityId: 'e', name: 'n', type: 't' });
    await eventually(
      () => webhooks.deliveries(tenant, id),
      (list) => list.length === 6 && list.every((one) => one.state !== 'delivering' && one.attempts.length === 1),
    );
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await webhooks.call(tenant, 'GET', `/api/v1/webhooks/${id}/deliveries?limit=4${cursor}`);
      seen.push(...body.deliveries.map((one: { delivery_id: string }) => one.delivery_id));
      if (body.next_cursor === undefined) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toHaveLength(6);
    expect(seen).toEqual(seen.toSorted().toReversed());
    expect(await webhooks.deliveries(tenant, id, '?state=delivered')).toHaveLength(5);
    expect(await webhooks.deliveries(tenant, id, '?event=memory.entity.created')).toMatchObject([
      { state: 'pending', next_attempt_at: new Date(clock.now().getTime() + 1_000).toISOString() },
    ]);
    const one = await webhooks.call(tenant, 'GET', `/api/v1/webhooks/${id}/deliveries/${seen[0]}`);
    const { request, ...delivery } = one.body;
    expect(delivery).toEqual((await webhooks.deliveries(tenant, id))[0]);
    const sent = receiver.received.find(({ event }) => event.event_id === delivery.event_id)!;
    expect(request.body).toBe(sent.body);
    expect(sent.headers).toMatchObject(request.headers);
  });

  it('of all webhooks is that of each together, newest first, in pages, and of nobody else', async () => {
    const other = (await webhooks.register(tenant, receiver.url, { events: ['memory.ingest.completed'] })).webhook_id;
    await webhooks.emit(newTenant(), 'ingestCompleted', ingested());
    for (let n = 0; n < 3; n += 1) await webhooks.emit(tenant, 'ingestCompleted', ingested());
    await Promise.all([settled(webhooks, tenant, id, 3), settled(webhooks, tenant, other, 3)]);
    const list = async (query: string) =>
      (await webhooks.call(tenant, 'GET', `/api/v1/webhooks/deliveries${query}`)).body as {
        deliveries: { delivery_id: string; webhook_id: string }[];
        next_cursor?: string;
      };
    const first = await list('?limit=4');
    const rest = await list(`?limit=4&cursor=${first.next_cursor}`);
    const seen = [...first.deliveries, ...rest.deliveries].map(({ delivery_id }) => delivery_id);
    expect(rest.next_cursor).toBeUndefined();
    expect(seen).toHaveLength(6);
    expect(seen).toEqual(seen.toSorted().toReversed());
    expect(new Set((await list('')).deliveries.map(({ webhook_id }) => webhook_id))).toEqual(new Set([id, other]));
    expect((await list(`?webhook_id=${other}&state=delivered`)).deliveries).toHaveLength(3);
    expect((await list('?event=memory.entity.created')).deliveries).toEqual([]);
  });

  it('is summed up for each endpoint: what became of it, how many attempts failed, how long they took', async () => {
    const unused = (await webhooks.register(tenant, receiver.url, { events: ['memory.health.assessed'] })).webhook_id;
    receiver.answer((response, { event }) =>
      response.writeHead(event.event === 'memory.entity.created' ? 500 : 200).end(),
    );
    for (let n = 0; n < 3; n += 1) await webhooks.emit(tenant, 'ingestCompleted', ingested());
    await webhooks.emit(tenant, 'entityCreated', { entityId: 'e', name: 'n', type: 't' });
    await eventually(
      () => webhooks.deliveries(tenant, id),
      (list) => list.length === 4 && list.every((one) => one.attempts[0]?.outcome),
    );
    const { body } = await webhooks.call(tenant, 'GET', '/api/v1/webhooks/stats');
    const of = (webhookId: string) =>
      body.webhooks.find(({ webhook_id }: { webhook_id: string }) => webhook_id === webhookId);
    expect(of(id)).toEqual({
      webhook_id: id,
      deliveries: 4,
      delivered: 3,
      dead_lettered: 0,
      waiting: 1,
      attempts: 4,
      failed_attempts: 1,
      success_rate: 0.75,
      p50_ms: expect.any(Number),
      p95_ms: expect.any(Number),
    });
    expect(of(unused)).toMatchObject({ deliveries: 0, attempts: 0, success_rate: null, p50_ms: null, p95_ms: null });
  });
});

describe('the catalogue of events', () => {
  it('describes each with a schema and an example that follows it, which a test sends, signed like any other', async () => {
    const { body } = await webhooks.call(tenant, 'GET', '/api/v1/webhooks/event-types');
    expect(body.event_types.map(({ event }: { event: string }) => event)).toEqual(WEBHOOK_EVENTS);
    for (const { event, schema, example } of body.event_types) {
      expect(schema.properties.payload.properties).toBeDefined();
      expect(webhookBodySchema(event).safeParse(example).error).toBeUndefined();
      const sent = await post('/test', { event });
      expect(sent.body).toMatchObject({ event, state: 'delivered' });
      const received = receiver.received.at(-1)!;
      expect(received.event).toMatchObject({ payload: example.payload, test: true });
      expect(example.test).toBeUndefined();
      expect(webhookBodySchema(event).safeParse(received.event).error).toBeUndefined();
      expect(received.headers['webhook-signature']).toBeDefined();
    }
    expect((await post('/test', { event: 'memory.unknown' })).status).toBe(422);
  });

  it('says of real events what they are, too, and a test is no event: it is tried once, also when it is replayed', async () => {
    await webhooks.emit(tenant, 'ingestCompleted', ingested());
    await webhooks.emit(tenant, 'healthAssessed', { score: 50, parts: { freshness: 1 } });
    await settled(webhooks, tenant, id, 2);
    for (const { body, event } of receiver.received)
      expect(webhookBodySchema(event.event as WebhookEvent).safeParse(JSON.parse(body)).error).toBeUndefined();
    receiver.answer(status(500));
    const failed = (await post('/test', { event: 'memory.entity.created' })).body;
    expect(failed.state).toBe('test_failed');
    await post(`/deliveries/${failed.delivery_id}/replay`);
    const again = await eventually(
      async () => (await webhooks.call(tenant, 'GET', `/api/v1/webhooks/${id}/deliveries/${failed.delivery_id}`)).body,
      ({ attempts, state }) => attempts.length === 2 && state === 'test_failed',
    );
    expect(again.next_attempt_at).toBeNull();
  });
});
