import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { eventually, type SharedCairn } from '@cairn/testing';
import { ingest } from '../tests/api.ts';
import { type Call, contract, newTenant, proves } from './contract.ts';
import { type Answering, hangs, type Received, type Receiver, startReceiver, status } from './receiver.ts';

/** Seconds after the failure before. */
const SCHEDULE_S = [1, 2, 4, 8, 30];
/** How late a retry may be on a busy machine; never early. */
const LATE_MAX_S = 1.5;
const SOON_MS = 60_000;
/** All retries with their delays, and some time for the machine. */
const SCHEDULE_MS = 75_000;

interface Delivery {
  event_id: string;
  state: string;
  attempts: { retry: number; outcome: string; status: number | null }[];
}

interface Place {
  tenantKey: string;
  webhookId: string;
}

let cairn: SharedCairn;
let call: Call;
/** One receiver has an address of its own; the other one is the host that several endpoints share. */
let alone: Receiver;
let shared: Receiver;
const places = new Map<string, Place>();
/** When the events were caused whose deliveries take most of a minute. */
let sentAt = 0;
const HANGING = Array.from({ length: 3 }, (_, n) => `hanging-${n}`);
const FAILING = Array.from({ length: 6 }, (_, n) => `failing-${n}`);

const register = async (url: string, key: string) =>
  (await call('POST', '/webhooks', { url, events: ['memory.ingest.completed'] }, { key })).body;
const ingestDocument = (apiKey: string, content: string) => ingest(cairn.baseUrl, apiKey, [{ content, title: 'Told' }]);

async function endpoint(tenantKey: string, name: string, receiver: Receiver, how: Answering): Promise<void> {
  receiver.answer(name, how);
  const { webhook_id: webhookId } = await register(receiver.urlOf(name), tenantKey);
  places.set(name, { tenantKey, webhookId });
}

beforeAll(async () => {
  ({ cairn, call } = await contract());
  alone = await startReceiver('::1');
  shared = await startReceiver();
  const [lone, crowd, stranger] = [await newTenant(cairn), await newTenant(cairn), await newTenant(cairn)];
  await endpoint(lone.api_key, 'alone', alone, status(500));
  for (const name of HANGING) await endpoint(crowd.api_key, name, shared, hangs);
  for (const name of FAILING) await endpoint(crowd.api_key, name, shared, status(500));
  await endpoint(crowd.api_key, 'busy', shared, status(503, { 'retry-after': '3600' }));
  await endpoint(crowd.api_key, 'gone', shared, status(410));
  await endpoint(crowd.api_key, 'moved', shared, status(302, { location: shared.urlOf('elsewhere') }));
  await endpoint(crowd.api_key, 'healthy', shared, status(204));
  await endpoint(stranger.api_key, 'stranger', shared, status(204));
  sentAt = performance.now();
  await Promise.all([lone, crowd].map(({ api_key }) => ingestDocument(api_key, 'It is told to whoever subscribed.')));
}, 240_000);
afterAll(async () => {
  await cairn.remove();
  alone.close();
  shared.close();
});

describe('redelivery', () => {
  const gapsOf = (arrivals: Received[]) => arrivals.slice(1).map(({ at }, n) => (at - arrivals[n]!.at) / 1_000);
  /** Expects the arrivals to follow the schedule; each failure took `failureS` until it was one. */
  function expectSchedule(arrivals: Received[], failureS = 0): void {
    const gaps = gapsOf(arrivals);
    const wrong = gaps.filter((gap, n) => {
      const due = SCHEDULE_S[n]! + failureS;
      return gap < due - 0.1 || gap > due + LATE_MAX_S;
    });
    expect([wrong, gaps.map((gap) => gap.toFixed(1))]).toEqual([[], expect.any(Array)]);
  }
  /** Of the first event that the place was told of. */
  const firstOf = (name: string, receiver: Receiver) => {
    const all = receiver.received(name);
    return all.filter(({ body }) => body.event_id === all[0]!.body.event_id);
  };
  const deliveryOf = async (name: string, arrivals: Received[]) => {
    const { tenantKey, webhookId } = places.get(name)!;
    const path = `/webhooks/${webhookId}/deliveries`;
    const all: Delivery[] = (await call('GET', path, undefined, { key: tenantKey })).body.deliveries;
    return all.find(({ event_id }) => event_id === arrivals[0]?.body.event_id);
  };
  /** The arrivals and the delivery once it is a dead letter, or once it should have been one. */
  const finished = async (name: string, receiver: Receiver) => {
    const isOver = async () => {
      const delivery = await deliveryOf(name, firstOf(name, receiver));
      return delivery?.state === 'dead_lettered' || performance.now() - sentAt > SCHEDULE_MS;
    };
    await eventually(isOver, Boolean, SCHEDULE_MS);
    const arrivals = firstOf(name, receiver);
    return { arrivals, delivery: await deliveryOf(name, arrivals) };
  };

  for (const name of ['healthy', 'stranger'])
    proves(
      ['D8.other endpoints'],
      `an endpoint that answers is told at once while others of its host fail and hang: ${name}`,
      async () => {
        const { tenantKey } = places.get(name)!;
        const before = shared.received(name).length;
        await ingestDocument(tenantKey, `It is told to the ${name} one.`);
        const all = await eventually(
          () => shared.received(name),
          ({ length }) => length > before,
          SOON_MS,
        );
        const receivedAt = Date.now() - (performance.now() - all.at(-1)!.at);
        expect(receivedAt - Date.parse(all.at(-1)!.body.occurred_at)).toBeLessThan(3_000);
      },
    );

  proves(
    ['D8.other endpoints', 'D8.operations'],
    'a test answers within its five seconds while other endpoints of the host fail and hang',
    async () => {
      const { tenantKey: key } = places.get('healthy')!;
      const hook = await register(shared.urlOf('pinged'), key);
      const began = performance.now();
      const { body } = await call('POST', `/webhooks/${hook.webhook_id}/test`, undefined, { key });
      expect(body.attempts).toMatchObject([{ retry: 0, status: 204, outcome: 'delivered' }]);
      expect(performance.now() - began).toBeLessThan(5_000);
    },
  );

  proves(
    ['redelivery.slow', 'D8.schedule fixed'],
    'an endpoint that does not answer within five seconds has failed, and is tried again a second later',
    async () => {
      const arrivals = await eventually(
        () => firstOf(HANGING[0]!, shared),
        (all) => all.length >= 2,
        SCHEDULE_MS,
      );
      const delivery = await deliveryOf(HANGING[0]!, arrivals);
      expect(delivery!.attempts[0]).toMatchObject({ retry: 0, outcome: 'timed_out', status: null });
      expectSchedule(arrivals.slice(0, 2), 5);
    },
    SCHEDULE_MS,
  );

  proves(
    ['redelivery.schedule', 'redelivery.event_id', 'limit.webhook retries', 'D8.schedule'],
    'an endpoint that fails is tried again after 1, 2, 4, 8 and 30 seconds, with the same event_id, and then it is a dead letter',
    async () => {
      const { delivery, arrivals } = await finished('alone', alone);
      expectSchedule(arrivals);
      expect(delivery).toMatchObject({ state: 'dead_lettered', next_attempt_at: null });
      expect(delivery!.attempts.map(({ retry }) => retry)).toEqual([0, 1, 2, 3, 4, 5]);
      expect(new Set(arrivals.map(({ rawBody }) => rawBody.toString())).size).toBe(1);
      alone.answer('alone', status(204));
      const { tenantKey, webhookId } = places.get('alone')!;
      const replayed = await call('POST', `/webhooks/${webhookId}/replay`, undefined, { key: tenantKey });
      expect([replayed.status, replayed.body]).toEqual([202, { replayed: 1 }]);
      await eventually(
        () => alone.received('alone'),
        (all) => all.length === 7,
        SOON_MS,
      );
    },
    150_000,
  );

  for (const [name, what] of [
    [FAILING[0]!, 'answers 500'],
    [FAILING.at(-1)!, 'answers 500 beside it'],
    ['busy', 'asks for an hour with Retry-After'],
    ['gone', 'answers 410'],
    ['moved', 'redirects'],
  ] as const)
    proves(
      ['D8.other endpoints', 'D8.schedule fixed', 'redelivery.schedule'],
      `an endpoint that ${what} is tried again on time while other endpoints of its host fail and hang`,
      async () => {
        const { arrivals } = await finished(name, shared);
        expectSchedule(arrivals);
        expect(arrivals.length).toBe(6);
        expect(shared.received('elsewhere')).toEqual([]);
      },
      150_000,
    );
});
