import { expect, it } from '@jest/globals';
import { adapt, changeUrl, newEndpoint, selectWebhooks } from './endpoint.ts';

const OLD = 'https://one.example/';
const NEW = 'https://two.example/';
const CONCURRENCY_MAX = 16;
const FREE = { capacity: 512, slowCapacity: 256 };

it('what was learned of an endpoint does not count for another URL of the same webhook', () => {
  const endpoint = newEndpoint(0);
  changeUrl(endpoint, OLD);
  const accepted = { delivered: true, latencyMs: 10, isFirst: true };
  for (let n = 0; n < CONCURRENCY_MAX; n += 1) adapt(endpoint, { url: OLD, ...accepted }, CONCURRENCY_MAX);
  const slotsAt = selectWebhooks(['whk_1'], () => endpoint, 0, FREE).webhooks.get('whk_1')!;
  expect(slotsAt(OLD)).toEqual({ slots: CONCURRENCY_MAX, isSlow: false, accepts: true });
  expect(slotsAt(NEW)).toEqual({ slots: 4, isSlow: true, accepts: null });

  changeUrl(endpoint, NEW);
  // An attempt at the URL before says nothing of this one.
  adapt(endpoint, { url: OLD, ...accepted }, CONCURRENCY_MAX);
  expect(endpoint).toMatchObject({ window: 4, isSlow: true, accepts: null });
});
