import { expect, it } from '@jest/globals';
import { createFakeClock } from '../../tests/fake-clock.ts';
import { createTargetAddresses } from './target-addresses.ts';

const HOST = 'hooks.example';

function addressesOf(answers: (string[] | Error)[]) {
  const clock = createFakeClock();
  const resolve = async () => {
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { clock, addresses: createTargetAddresses({ clock, resolve }) };
}

it('what a delivery is charged to is what it is sent to, even if the name leads elsewhere a moment later', async () => {
  const { clock, addresses } = addressesOf([['192.0.2.1'], ['192.0.2.2']]);
  expect(addresses.cached(HOST)).toBeUndefined();
  await addresses.refresh(HOST);
  clock.advance(30_000);
  expect(addresses.cached(HOST)).toEqual(['192.0.2.1']);
  // The claim that was charged may last so much longer.
  clock.advance(15_000);
  expect(await addresses.resolve(HOST)).toEqual(['192.0.2.1']);
  expect(addresses.cached(HOST)).toBeUndefined();
  await addresses.refresh(HOST);
  expect(addresses.cached(HOST)).toEqual(['192.0.2.2']);
});

it('addresses that are not charged are not used', async () => {
  const many = Array.from({ length: 20 }, (_value, n) => `192.0.2.${n}`);
  const { addresses } = addressesOf([many]);
  await addresses.refresh(HOST);
  expect(await addresses.resolve(HOST)).toEqual(addresses.cached(HOST));
  expect(addresses.cached(HOST)).toHaveLength(4);
});

it('a name that could not be resolved fails its first attempt, and every retry looks it up again', async () => {
  const failure = new Error('no such name');
  const { clock, addresses } = addressesOf([failure, failure, ['192.0.2.1']]);
  await addresses.refresh(HOST);
  expect(addresses.cached(HOST)).toEqual([]);
  // The first attempt was charged to no address and must not reach one.
  clock.advance(400);
  await expect(addresses.resolve(HOST)).rejects.toThrow('no such name');
  clock.advance(1_000);
  await expect(addresses.resolve(HOST)).rejects.toThrow('no such name');
  clock.advance(2_000);
  // A retry is not charged, so that nothing has refreshed the name before.
  expect(await addresses.resolve(HOST)).toEqual(['192.0.2.1']);
});
