import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { inSlots } from './in-slots.ts';

describe('slots', () => {
  it('take every item once and in order, no more than so many at a time, and none waits for a slow one', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    let most = 0;
    await inSlots([0, 1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      most = Math.max(most, begun.length - ended.length);
      await sleep(item === 0 ? 100 : 1);
      ended.push(item);
    });
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
    expect(most).toBe(2);
    expect(ended.at(-1)).toBe(0);
  });

  it('reject with the first failure', async () => {
    const failing = inSlots([1, 2], 2, async (item) => {
      await sleep(item);
      throw new Error(String(item));
    });
    await expect(failing).rejects.toThrow('1');
  });
});
