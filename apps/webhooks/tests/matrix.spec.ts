import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { RETRY_DELAYS_MS } from '../src/sending/schedule.ts';
import { createFakeClock } from './fake-clock.ts';
import { type Answering, type Receiver, startReceiver, status } from './receiver.ts';
import { ingested, newTenant, type RunningWebhooks, runWebhooks } from './webhooks-harness.ts';

const MIB = 1_048_576;

interface Case {
  answer: Answering;
  outcome: string;
  status: number | null;
  delivered?: boolean;
}

const withLength: Answering = (response) => response.writeHead(200, { 'content-length': '1000' }).write('begun');

/** What an endpoint can do with a delivery, and what becomes of it. */
const CASES: Record<string, Case> = {
  'answers 200': { answer: status(200, 'ok'), outcome: 'delivered', status: 200, delivered: true },
  'answers 204': { answer: status(204), outcome: 'delivered', status: 204, delivered: true },
  'answers 299': { answer: status(299), outcome: 'delivered', status: 299, delivered: true },
  'answers 200 with 100 MiB': {
    answer(response) {
      let left = 100 * MIB;
      const more = () => {
        while (left > 0 && !response.destroyed && response.write(Buffer.alloc(65_536, 'x'))) left -= 65_536;
        if (left <= 0) response.end();
      };
      response.writeHead(200).on('drain', more);
      more();
    },
    outcome: 'delivered',
    status: 200,
    delivered: true,
  },
  'answers 301 elsewhere': {
    answer: (response) => response.writeHead(301, { location: 'http://127.0.0.1:1/' }).end(),
    outcome: 'refused_by_receiver',
    status: 301,
  },
  'answers 304': { answer: status(304), outcome: 'refused_by_receiver', status: 304 },
  'answers 400': { answer: status(400, 'no'), outcome: 'refused_by_receiver', status: 400 },
  'answers 410, which changes nothing': { answer: status(410), outcome: 'refused_by_receiver', status: 410 },
  'answers 429 with Retry-After, which changes nothing': {
    answer: (response) => response.writeHead(429, { 'retry-after': '3600' }).end(),
    outcome: 'refused_by_receiver',
    status: 429,
  },
  'answers 500': { answer: status(500, 'oh'), outcome: 'refused_by_receiver', status: 500 },
  'answers 503': { answer: status(503), outcome: 'refused_by_receiver', status: 503 },
  'does not answer': { answer: () => undefined, outcome: 'timed_out', status: null },
  'stops after its headers': { answer: withLength, outcome: 'timed_out', status: null },
  'hangs up at once': {
    answer: (response) => response.socket!.resetAndDestroy(),
    outcome: 'connection_failed',
    status: null,
  },
  'hangs up in its body': {
    answer: (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('begun', () => setTimeout(() => response.socket?.resetAndDestroy(), 50));
    },
    outcome: 'connection_failed',
    status: null,
  },
  'sends more headers than are read': {
    answer: (response) => response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end(),
    outcome: 'connection_failed',
    status: null,
  },
  'speaks no HTTP': {
    answer: (response) => response.socket!.end('SSH-2.0-OpenSSH_9.2\r\n'),
    outcome: 'connection_failed',
    status: null,
  },
};

const clock = createFakeClock();
const tenant = newTenant();
const receivers = new Map<string, Receiver>();
const webhookIds = new Map<string, string>();
let webhooks: RunningWebhooks;
let tls: ReturnType<typeof createTlsServer>;

beforeAll(async () => {
  // The answer that does not come is waited for in real time.
  webhooks = await runWebhooks({ ports: { clock, deliveryTimeoutMs: 1_000 } });
  for (const [name, { answer }] of Object.entries(CASES)) {
    const receiver = await startReceiver();
    receiver.answer(answer);
    receivers.set(name, receiver);
    webhookIds.set(name, (await webhooks.register(tenant, receiver.url)).webhook_id);
  }
  tls = createTlsServer({});
  tls.listen(0, '127.0.0.1');
  await once(tls, 'listening');
  const { port } = tls.address() as AddressInfo;
  webhookIds.set('fails at TLS', (await webhooks.register(tenant, `https://127.0.0.1:${port}/`)).webhook_id);
  const gone = await startReceiver();
  webhookIds.set('is not there', (await webhooks.register(tenant, gone.url)).webhook_id);
  await gone.close();
});
afterAll(async () => {
  await webhooks.close();
  tls.close();
  await Promise.all([...receivers.values()].map((receiver) => receiver.close()));
});

const EXPECTED: Record<string, Omit<Case, 'answer'>> = {
  ...CASES,
  'fails at TLS': { outcome: 'tls_failed', status: null },
  'is not there': { outcome: 'connection_failed', status: null },
};

async function attemptsOf(name: string) {
  const [delivery] = await webhooks.deliveries(tenant, webhookIds.get(name)!);
  return { delivery, attempts: delivery?.attempts ?? [] };
}

describe('an endpoint', () => {
  it('is tried at the decided times and no other, whatever it does, until it takes the event or the last retry has failed', async () => {
    const eventId = await webhooks.emit(tenant, 'ingestCompleted', ingested());
    const failing = Object.entries(EXPECTED).filter(([, { delivered }]) => delivered !== true);
    const times: number[] = [];
    for (const [round, delayMs] of [...RETRY_DELAYS_MS, null].entries()) {
      times.push(clock.now().getTime());
      for (const [name] of failing) {
        await eventually(
          () => attemptsOf(name),
          ({ delivery, attempts }) => attempts.length === round + 1 && delivery.state !== 'delivering',
          30_000,
        );
      }
      if (delayMs === null) break;
      // A millisecond early nothing is sent.
      clock.advance(delayMs - 1);
      const before = [...receivers.values()].map(({ received }) => received.length);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect([...receivers.values()].map(({ received }) => received.length)).toEqual(before);
      clock.advance(1);
    }
    for (const [name] of failing) {
      const { delivery, attempts } = await attemptsOf(name);
      const started = attempts.map((attempt: { started_at: string }) => Date.parse(attempt.started_at));
      expect([name, started]).toEqual([name, times]);
      expect([name, attempts.map((attempt: { retry: number }) => attempt.retry)]).toEqual([name, [0, 1, 2, 3, 4, 5]]);
      expect([name, delivery.state, delivery.event_id]).toEqual([name, 'dead_lettered', eventId]);
    }
    clock.advance(3_600_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const receiver of receivers.values())
      expect(new Set(receiver.received.map(({ event }) => event.event_id))).toEqual(new Set([eventId]));
  }, 120_000);

  it.each(Object.entries(EXPECTED))('that %s has that recorded at every attempt', async (name, expected) => {
    const { delivery, attempts } = await attemptsOf(name);
    expect(delivery.state).toBe(expected.delivered === true ? 'delivered' : 'dead_lettered');
    expect(attempts).toHaveLength(expected.delivered === true ? 1 : 6);
    for (const attempt of attempts)
      expect(attempt).toMatchObject({ outcome: expected.outcome, status: expected.status });
    const sent = receivers.get(name)?.received.length;
    if (sent !== undefined) expect(sent).toBe(attempts.length);
  });

  it('that sends 100 MiB is read for 4 KiB of them', async () => {
    const { attempts } = await attemptsOf('answers 200 with 100 MiB');
    expect(attempts[0].answer).toHaveLength(4_096);
    expect(attempts[0].answer_truncated).toBe(true);
  });

  it('that answers shows what it said', async () => {
    const { attempts } = await attemptsOf('answers 400');
    expect(attempts[0]).toMatchObject({ answer: 'no', answer_truncated: false, error: 'the endpoint answered 400' });
    expect(attempts[0].latency_ms).toBeGreaterThanOrEqual(0);
  });
});
