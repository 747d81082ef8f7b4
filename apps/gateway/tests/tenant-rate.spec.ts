import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';

const PATH = '/api/v1/memories';
/** Earns nothing while the spec runs. */
const PLAN = { requestsPerSecond: 0.01, burst: 20 };
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const keyOf = (tenantId: string, rateLimit: { requestsPerSecond: number; burst: number } = PLAN) =>
  gateway.keys.mint({ tenantId, rateLimit, tenantRateLimit: PLAN } as never);

describe('the rate of a plan', () => {
  it('is that of all keys of the tenant together, and of no other tenant', async () => {
    const tenantId = newId('tenant');
    const minted = Array.from({ length: 30 }, () => keyOf(tenantId));
    const responses = await Promise.all([...minted, ...minted].map((key) => gateway.call(key, PATH)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(PLAN.burst);
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(2 * minted.length - PLAN.burst);
    expect(refused[0]!.headers['ratelimit']).toMatch(/^"tenant";r=0;/);
    expect(refused[0]!.headers['ratelimit-policy']).toBe('"tenant";q=20;w=2000');
    expect(JSON.parse(refused[0]!.text)).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringMatching(/tenant/),
    });
    expect((await gateway.call(keyOf(newId('tenant')), PATH)).status).toBe(200);
  });

  it('is let through whole by a gateway whose event loop stood still longer than a draw may take', async () => {
    const key = keyOf(newId('tenant'));
    gateway.keys.delayDraws(async () => {
      gateway.keys.delayDraws(async () => undefined);
      for (const end = performance.now() + 1_200; performance.now() < end;);
    });
    const responses = await Promise.all(Array.from({ length: 30 }, () => gateway.call(key, PATH)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(PLAN.burst);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(responses.length - PLAN.burst);
  });

  it('leaves the others what a key is refused by its own, lower rate; the headers tell the one that binds', async () => {
    const tenantId = newId('tenant');
    const slow = keyOf(tenantId, { requestsPerSecond: 0.01, burst: 2 });
    const responses = [];
    for (let n = 0; n < 40; n += 1) responses.push(await gateway.call(slow, PATH));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, ...Array(38).fill(429)]);
    expect(new Set(responses.map(({ headers }) => headers['ratelimit-policy']))).toEqual(
      new Set(['"default";q=2;w=200']),
    );
    const other = keyOf(tenantId);
    const rest = [];
    for (let n = 0; n < PLAN.burst; n += 1) rest.push(await gateway.call(other, PATH));
    expect(rest.filter(({ status }) => status === 200)).toHaveLength(PLAN.burst - 2);
    expect(rest[0]!.headers['ratelimit']).toMatch(/^"tenant";/);
  });
});
