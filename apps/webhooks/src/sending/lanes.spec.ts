import { expect, it } from '@jest/globals';
import type { Database, Tx } from '@cairn/postgres';
import { retryLane } from './lanes.ts';

const IN_FLIGHT_MAX = 8;

function laneWith(addressOf: Record<string, string>) {
  const database = { transaction: (work: (tx: Tx) => Promise<unknown>) => work({} as Tx) } as unknown as Database;
  const addresses = {
    cached: () => undefined,
    lastKnown: (host: string) => (addressOf[host] === undefined ? [] : [addressOf[host]]),
    refresh: async () => undefined,
    resolve: async () => [],
  };
  const lane = retryLane({ database, addresses, inFlightMax: IN_FLIGHT_MAX });
  const keysOf = (tenantId: string, url: string) =>
    lane.keysOf(
      { webhook_id: 'whk_1', tenant_id: tenantId, livemode: true, url, accepts: true },
      { accepts: true, isSlow: false },
    )!;
  const left = (tenantId: string, url: string) =>
    lane.transaction(async (_tx, open) => {
      const keys = keysOf(tenantId, url);
      return Math.min(...[...(await open(keys)).values()].map(({ inFlightLeft }) => inFlightLeft));
    });
  return { lane, keysOf, left };
}

it('the retries in flight of one tenant, or to one address by whatever names, take at most half of the slots of a replica', async () => {
  const { lane, keysOf, left } = laneWith({ 'a.example': '192.0.2.1', 'b.example': '192.0.2.1' });
  lane.begin(keysOf('tnt_a', 'https://a.example/'), IN_FLIGHT_MAX / 2);
  expect(await left('tnt_a', 'https://elsewhere.example/')).toBe(0);
  expect(await left('tnt_b', 'https://b.example/')).toBe(0);
  expect(await left('tnt_b', 'https://192.0.2.1/')).toBe(0);
  expect(await left('tnt_b', 'https://elsewhere.example/')).toBe(IN_FLIGHT_MAX / 2);
  lane.end(keysOf('tnt_a', 'https://a.example/'), false);
  expect(await left('tnt_b', 'https://b.example/')).toBe(1);
});
