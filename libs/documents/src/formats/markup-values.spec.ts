import { describe, expect, it } from '@jest/globals';
import { markupText } from './markup-values.ts';

const FEW = 4_000;
const TIMES_MORE = 8;

function bestOfThree(tags: number): number {
  const html = '<b>x</b>'.repeat(tags);
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    markupText(html);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
}

describe('the words of a piece of HTML', () => {
  it('have the values of its elements where they stand in the text without the tags', () => {
    const { text, values } = markupText('See <b>user</b>: <i title="t">ann</i> and <b>key</b>');
    expect(text).toBe('See  user :  ann  and  key ');
    expect(values.map(({ start, end }) => text.slice(start, end))).toEqual(['user', 'ann', 'key']);
  });

  it('take time in proportion to the tags', () => {
    bestOfThree(FEW);
    // In the square of the tags it would be 64 times the time.
    expect(bestOfThree(FEW * TIMES_MORE) / bestOfThree(FEW)).toBeLessThan(TIMES_MORE * 3);
  });
});
