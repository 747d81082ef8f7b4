import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { variables } from '../src/config.ts';
import { type SimulatedAttempt, type SimulatedEndpoint, simulate } from './delivery-simulation.ts';

const defaultOf = (name: keyof typeof variables) => variables[name].schema.parse(undefined) as number;
const LIMITS = {
  hostStartPerSecond: defaultOf('hostStartPerSecond'),
  hostPerSecondMax: defaultOf('hostPerSecondMax'),
  hostInFlightMax: defaultOf('hostInFlightMax'),
  tenantPerSecondMax: defaultOf('tenantPerSecondMax'),
  tenantInFlightMax: defaultOf('tenantInFlightMax'),
  testPerSecondMax: defaultOf('testPerSecondMax'),
  testInFlightMax: defaultOf('testInFlightMax'),
};
/** The promise: a retry starts within a second of when it is due. */
const LATE_MAX_MS = 1_000;
const ATTEMPTS_MAX = 6;
const TIMEOUT_MS = 5_000;
const RUNS = 5;

const BEHAVIOURS: Record<string, Pick<SimulatedEndpoint, 'latencyMs' | 'acceptedPart'>> = {
  healthy: { latencyMs: 50, acceptedPart: 1 },
  slow: { latencyMs: 3_000, acceptedPart: 1 },
  flaky: { latencyMs: 100, acceptedPart: 0.8 },
  refusing: { latencyMs: 50, acceptedPart: 0 },
  dead: { latencyMs: 1, acceptedPart: 0 },
  hanging: { latencyMs: TIMEOUT_MS, acceptedPart: 0 },
};

function seeded(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const latest = (attempts: readonly SimulatedAttempt[]) =>
  attempts.reduce((most, { retry, atMs, dueAtMs }) => (retry === 0 ? most : Math.max(most, atMs - dueAtMs)), 0);

const endpoint = fc.record({
  behaviour: fc.constantFrom(...Object.keys(BEHAVIOURS)),
  host: fc.constantFrom('one.example', 'two.example', 'three.example'),
  eventsPerSecond: fc.constantFrom(0.1, 1, 5, 25),
});
const mix = fc.array(fc.array(endpoint, { minLength: 1, maxLength: 10 }), { minLength: 1, maxLength: 5 });
const endpointsOf = (tenants: { behaviour: string; host: string; eventsPerSecond: number }[][]) =>
  tenants.flatMap((list, n) =>
    list.map(({ behaviour, ...rest }) => ({ tenantId: `tnt_${n}`, ...rest, ...BEHAVIOURS[behaviour]! })),
  );

describe('whatever the endpoints of a host do', () => {
  it('no retry starts more than a second after it is due', async () => {
    await fc.assert(
      fc.asyncProperty(mix, fc.nat(), async (tenants, seed) => {
        const attempts = await simulate(endpointsOf(tenants), { limits: LIMITS, seconds: 40, random: seeded(seed) });
        expect(latest(attempts)).toBeLessThanOrEqual(LATE_MAX_MS);
      }),
      { numRuns: RUNS },
    );
  }, 300_000);

  it('fifty hanging endpoints of each of three tenants, each on a host of its own and flooded, do not make a retry late', async () => {
    const endpoints = Array.from({ length: 150 }, (_value, n) => ({
      tenantId: `tnt_${n % 3}`,
      host: `host-${n}.example`,
      eventsPerSecond: 1,
      ...BEHAVIOURS['hanging']!,
    }));
    const attempts = await simulate(endpoints, { limits: LIMITS, seconds: 50, random: seeded(1) });
    expect(latest(attempts)).toBeLessThanOrEqual(LATE_MAX_MS);
  }, 300_000);

  it('a new endpoint that is healthy receives at once beside a flood to a hundred that hang, of its own tenant too', async () => {
    const hanging = Array.from({ length: 99 }, (_value, n) => ({
      tenantId: n < 50 ? 'tnt_a' : 'tnt_b',
      host: 'one.example',
      eventsPerSecond: 20,
      ...BEHAVIOURS['hanging']!,
    }));
    const healthy = { tenantId: 'tnt_a', host: 'one.example', beginsAtSecond: 10, ...BEHAVIOURS['healthy']! };
    const endpoints = [...hanging, { ...healthy, eventsPerSecond: 1 }];
    const attempts = await simulate(endpoints, { limits: LIMITS, seconds: 30, random: seeded(2) });
    const waited = attempts.flatMap(({ webhookId, atMs, dueAtMs }) =>
      webhookId === 'whk_0099' ? [atMs - dueAtMs] : [],
    );
    expect(waited.length).toBeGreaterThanOrEqual(19);
    expect(Math.max(...waited)).toBeLessThanOrEqual(LATE_MAX_MS);
  }, 120_000);

  it('a flood of one tenant to endpoints that refuse first attempts and hang on every retry makes no retry or first attempt of others late', async () => {
    const hostile = Array.from({ length: 100 }, (_value, n) => ({
      tenantId: 'tnt_a',
      host: `host-${n}.example`,
      beginsAtSecond: 5,
      eventsAtOnce: 30,
      eventsPerSecond: 0.5,
      ...BEHAVIOURS['refusing']!,
      retryLatencyMs: TIMEOUT_MS,
    }));
    const others = Array.from({ length: 20 }, (_value, n) => ({
      tenantId: 'tnt_b',
      host: `other-${n}.example`,
      eventsPerSecond: 1,
      beginsAtSecond: n,
      ...BEHAVIOURS[n % 2 === 0 ? 'flaky' : 'healthy']!,
    }));
    const options = { limits: LIMITS, seconds: 40, random: seeded(4) };
    const attempts = await simulate([...others, ...hostile], options);
    const ofOthers = attempts.filter(({ host }) => host.startsWith('other-'));
    expect(latest(ofOthers)).toBeLessThanOrEqual(LATE_MAX_MS);
    const waited = ofOthers.filter(({ retry }) => retry === 0).map(({ atMs, dueAtMs }) => atMs - dueAtMs);
    expect(Math.max(...waited)).toBeLessThanOrEqual(LATE_MAX_MS);
  }, 300_000);

  it('a new endpoint receives at once while its tenant has most of its slots in flight to endpoints that accept', async () => {
    const busy = Array.from({ length: 10 }, (_value, n) => ({
      tenantId: 'tnt_a',
      host: `host-${n}.example`,
      eventsPerSecond: 11,
      latencyMs: 900,
      acceptedPart: 1,
    }));
    const fresh = { tenantId: 'tnt_a', host: 'other.example', beginsAtSecond: 20, ...BEHAVIOURS['healthy']! };
    const endpoints = [...busy, { ...fresh, eventsPerSecond: 1 }];
    const attempts = await simulate(endpoints, { limits: LIMITS, seconds: 30, random: seeded(5) });
    const waited = attempts.flatMap(({ host, atMs, dueAtMs }) => (host === 'other.example' ? [atMs - dueAtMs] : []));
    expect(waited.length).toBeGreaterThanOrEqual(9);
    expect(Math.max(...waited)).toBeLessThanOrEqual(LATE_MAX_MS);
  }, 120_000);

  it('a host that accepts nothing is sent at most 60 first attempts at once and 20 in each second by all tenants, and six attempts for each', async () => {
    const endpoints = Array.from({ length: 100 }, (_value, n) => ({
      tenantId: `tnt_${n % 10}`,
      host: 'one.example',
      eventsPerSecond: 2,
      ...BEHAVIOURS['refusing']!,
    }));
    const seconds = 20;
    const attempts = await simulate(endpoints, { limits: LIMITS, seconds, random: seeded(3) });
    for (let second = 0; second < seconds; second += 1) {
      const until = attempts.filter(({ atMs }) => atMs <= second * 1_000);
      const first = until.filter(({ retry }) => retry === 0).length;
      expect(first).toBeLessThanOrEqual(60 + 20 * second);
      expect(until.length).toBeLessThanOrEqual(first * ATTEMPTS_MAX);
    }
    const ofOne = attempts.filter(
      ({ webhookId, retry }) => retry === 0 && Number(webhookId.slice(4)) % 10 === 0,
    ).length;
    expect(ofOne).toBeLessThanOrEqual(30 + 2 * seconds);
  }, 120_000);
});
