import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';

const PATH = '/api/v1/memories';
const ATTACKER = '203.0.113.7';
const OTHER = '203.0.113.8';
const PER_SECOND = 2;
/** Twenty seconds of it at once. */
const BURST = 40;
const FLOOD = 100;

let gateway: TestGateway;
afterEach(() => gateway.close());

const from = (address: string, key: string) =>
  gateway.call(key, PATH, { headers: { 'x-forwarded-for': address } }).then(({ status }) => status);

describe('a flood of keys that nobody minted, from one address', () => {
  it('holds up no key elsewhere, new or not, and no key in use at that address, and is not looked up beyond the limit', async () => {
    gateway = await startTestGateway({ refusedRequestsPerSecond: PER_SECOND, trustedProxies: 1 });
    const { keys } = gateway;
    const neighbour = keys.mint();
    // On a busy machine the connection to keys may take longer than a request waits for it.
    await eventually(async () => (await from(ATTACKER, neighbour)) === 200);
    const before = keys.asked();
    const release = Promise.withResolvers<void>();
    keys.delay(() => release.promise);

    // All at once, while keys does not respond: every one is either asked about or refused.
    let settled = 0;
    const flood = Array.from({ length: FLOOD }, () =>
      from(ATTACKER, keys.unknown()).finally(() => {
        settled += 1;
      }),
    );
    await eventually(() => settled + keys.asked() - before >= FLOOD);
    expect(keys.asked() - before).toBe(BURST);
    expect(await from(ATTACKER, neighbour)).toBe(200);
    const fresh = from(OTHER, keys.mint());
    await eventually(() => keys.asked() - before === BURST + 1);
    release.resolve();
    expect(await fresh).toBe(200);
    const statuses = await Promise.all(flood);
    expect([statuses.filter((s) => s === 401).length, statuses.filter((s) => s === 429).length]).toEqual([
      BURST,
      FLOOD - BURST,
    ]);

    // From here on at the rate, whatever is sent.
    const [asked, sinceMs] = [keys.asked(), performance.now()];
    for (let n = 0; n < 30; n += 1) expect([401, 429]).toContain(await from(ATTACKER, keys.unknown()));
    expect(keys.asked() - asked).toBeLessThanOrEqual(((performance.now() - sinceMs) / 1_000) * PER_SECOND + 1);
    expect(await from(ATTACKER, neighbour)).toBe(200);
    expect(await from(OTHER, keys.mint())).toBe(200);
  });

  it('counts what is malformed, missing or not permitted as well, and says how long to wait', async () => {
    gateway = await startTestGateway({ refusedRequestsPerSecond: 0.1 });
    const reader = gateway.keys.mint({ scopes: ['usage:read'] });
    expect((await gateway.call(reader, '/api/v1/usage/credits')).status).toBe(200);
    expect([
      (await gateway.call('nonsense', PATH)).status,
      (await gateway.call('', PATH)).status,
      (await gateway.call(reader, PATH)).status,
    ]).toEqual([401, 401, 429]);
    const refused = await gateway.call('nonsense', PATH);
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1);
    // What the key may do it does, here as well.
    expect((await gateway.call(reader, '/api/v1/usage/credits')).status).toBe(200);
  });
});
