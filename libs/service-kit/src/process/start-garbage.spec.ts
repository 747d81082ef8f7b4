import { expect, it } from '@jest/globals';
import { collectStartGarbage } from './start-garbage.ts';

const SIZE = 1_000_000;

function forgotten(): WeakRef<number[]> {
  return new WeakRef(Array.from({ length: SIZE }, (_none, n) => n));
}

it('collects what nothing refers to any more, without giving other code the means', async () => {
  const found = forgotten();
  await collectStartGarbage(1);
  expect(found.deref()).toBeUndefined();
  expect(globalThis).not.toHaveProperty('gc');
});
