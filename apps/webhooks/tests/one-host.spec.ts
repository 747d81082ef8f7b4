import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Identity } from '@cairn/identity';
import { eventually } from '@cairn/testing';
import { variables } from '../src/config.ts';
import { RETRY_DELAYS_MS } from '../src/sending/schedule.ts';
import { type Answering, type Receiver, startReceiver, status } from './receiver.ts';
import { ingested, newTenant, type RunningWebhooks, runWebhooks } from './webhooks-harness.ts';

const TENANTS = 3;
const PER_KIND = 4;
/** Events of each tenant. */
const WAVES = 4;
/** The promise: a retry starts within a second of when it is due. What a timer and a query are late by on a busy machine is measured and added. */
const LATE_MAX_MS = 1_000;
const PROBE_EVERY_MS = 100;
/** What begins at once does so within a moment, and within this time on a busy machine. */
const AT_ONCE_MAX_MS = 4_000;
/** An attempt's latency is rounded, and begins a moment after its claim. */
const EARLY_MAX_MS = 20;
/** The time-outs of a delivery to an endpoint that hangs, and its pauses. */
const ALL_ENDED_MS = 110_000;

/** What the paths of the one host do. `dead` leads to a port on which nothing listens. */
const ANSWERS: Record<string, Answering> = {
  slow: (response) => setTimeout(() => response.writeHead(200).end(), 3_000),
  hanging: () => undefined,
  refusing: status(500),
  healthy: status(204),
};
const KINDS = ['hanging', 'dead', 'slow', 'refusing', 'healthy'] as const;
type Kind = (typeof KINDS)[number];

interface Endpoint {
  kind: Kind;
  tenant: Identity;
  webhookId: string;
  path: string;
}

interface Attempt {
  delivery_id: string;
  webhook_id: string;
  event: string;
  retry: number;
  started_at: Date;
  latency_ms: number;
}

const defaultOf = (name: keyof typeof variables) => variables[name].schema.parse(undefined) as number;
const DEFAULT_LIMITS = {
  endpointConcurrencyMax: defaultOf('endpointConcurrencyMax'),
  inFlightMax: defaultOf('inFlightMax'),
  hostStartPerSecond: defaultOf('hostStartPerSecond'),
  hostPerSecondMax: defaultOf('hostPerSecondMax'),
  hostInFlightMax: defaultOf('hostInFlightMax'),
  tenantPerSecondMax: defaultOf('tenantPerSecondMax'),
  tenantInFlightMax: defaultOf('tenantInFlightMax'),
  testPerSecondMax: defaultOf('testPerSecondMax'),
  testInFlightMax: defaultOf('testInFlightMax'),
};

let webhooks: RunningWebhooks;
let receiver: Receiver;
const tenants = Array.from({ length: TENANTS }, newTenant);
const endpoints: Endpoint[] = [];
const emittedAtMs = new Map<string, number>();
const arrivedAtMs = new Map<string, number>();
/** How late a timer and a query were at most. */
let machineLateMs = 0;
let probing = true;
let probed = Promise.resolve();

async function probe(): Promise<void> {
  while (probing) {
    const beganAtMs = Date.now();
    await sleep(PROBE_EVERY_MS);
    await webhooks.ask('SELECT 1');
    machineLateMs = Math.max(machineLateMs, Date.now() - beganAtMs - PROBE_EVERY_MS);
  }
}

beforeAll(async () => {
  webhooks = await runWebhooks({ config: DEFAULT_LIMITS, replicas: 2 });
  receiver = await startReceiver();
  const gone = await startReceiver();
  await gone.close();
  receiver.answer((response, received, request) => {
    const [, kind] = request.url!.split('/');
    const key = `${request.url} ${received.event.event_id}`;
    if (!arrivedAtMs.has(key)) arrivedAtMs.set(key, received.atMs);
    ANSWERS[kind!]!(response, received, request);
  });
  for (let n = 0; n < PER_KIND * KINDS.length; n += 1) {
    const kind = KINDS[n % KINDS.length]!;
    const tenant = tenants[n % TENANTS]!;
    const path = `/${kind}/${n}`;
    const url = `http://127.0.0.1:${kind === 'dead' ? gone.port : receiver.port}${path}`;
    const { webhook_id: webhookId } = await webhooks.register(tenant, url);
    endpoints.push({ kind, tenant, webhookId, path });
  }
  probed = probe();
});
afterAll(async () => {
  probing = false;
  await probed;
  await webhooks.close();
  await receiver.close();
});

const of = (kind: Kind) => endpoints.filter((endpoint) => endpoint.kind === kind);

/** One event for each tenant. */
async function emit(): Promise<void> {
  for (const tenant of tenants) {
    const atMs = Date.now();
    emittedAtMs.set(await webhooks.emit(tenant, 'ingestCompleted', ingested()), atMs);
  }
}

const attempts = () =>
  webhooks.ask<Attempt>(
    `SELECT a.delivery_id, d.webhook_id, d.event, a.retry, a.started_at, a.latency_ms
       FROM delivery_attempts a JOIN deliveries d USING (delivery_id) ORDER BY a.delivery_id, a.attempt`,
  );

describe('twenty endpoints of three tenants on one host', () => {
  it('receive at once when they are healthy, again and again, while others are dead, slow, hang or refuse', async () => {
    for (let wave = 0; wave < WAVES; wave += 1) {
      await emit();
      await sleep(1_500);
    }
    const waited = await eventually(
      () =>
        of('healthy').flatMap(({ path }) =>
          [...emittedAtMs].flatMap(([eventId, emittedMs]) => {
            const arrivedMs = arrivedAtMs.get(`${path} ${eventId}`);
            return arrivedMs === undefined ? [] : [arrivedMs - emittedMs];
          }),
        ),
      ({ length }) => length === WAVES * PER_KIND,
      30_000,
    );
    expect(Math.max(...waited)).toBeLessThan(AT_ONCE_MAX_MS + machineLateMs);
  }, 60_000);

  it('are tested at once, and the test answers as soon as the endpoint has', async () => {
    const calls = endpoints.map(async ({ tenant, webhookId, kind }) => {
      const beganAtMs = Date.now();
      const { status: code, body } = await webhooks.call(tenant, 'POST', `/api/v1/webhooks/${webhookId}/test`, {});
      const attempt = body.attempts[0];
      return { kind, code, outcome: attempt.outcome, waitedMs: Date.parse(attempt.started_at) - beganAtMs };
    });
    const outcomes: Record<Kind, string> = {
      slow: 'delivered',
      hanging: 'timed_out',
      refusing: 'refused_by_receiver',
      healthy: 'delivered',
      dead: 'connection_failed',
    };
    for (const { kind, code, outcome, waitedMs } of await Promise.all(calls)) {
      expect([kind, code, outcome]).toEqual([kind, 200, outcomes[kind]]);
      expect(waitedMs).toBeLessThan(AT_ONCE_MAX_MS + machineLateMs);
    }
  }, 30_000);

  it('have each retry started within a second of when it is due, 1, 2, 4, 8 and 30 s after the failure before', async () => {
    await eventually(
      async () => (await webhooks.ask(`SELECT 1 FROM deliveries WHERE state = 'waiting'`)).length === 0,
      Boolean,
      ALL_ENDED_MS,
    );
    const byDelivery = Map.groupBy(await attempts(), ({ delivery_id }) => delivery_id);
    const lateMs: number[] = [];
    for (const [first, ...retries] of byDelivery.values()) {
      let before = first!;
      for (const retry of retries) {
        const endedAtMs = before.started_at.getTime() + before.latency_ms;
        lateMs.push(retry.started_at.getTime() - endedAtMs - RETRY_DELAYS_MS[before.retry]!);
        before = retry;
      }
    }
    // Each event at twelve endpoints that accept nothing, each tried five times more.
    expect(lateMs).toHaveLength(WAVES * 3 * PER_KIND * RETRY_DELAYS_MS.length);
    expect(Math.min(...lateMs)).toBeGreaterThanOrEqual(-EARLY_MAX_MS);
    expect(Math.max(...lateMs)).toBeLessThanOrEqual(LATE_MAX_MS + machineLateMs);
  }, 150_000);
});
