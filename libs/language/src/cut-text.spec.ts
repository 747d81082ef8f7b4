import { expect, it } from '@jest/globals';
import { cutBetweenWords, cutText } from './cut-text.ts';

it('no cut goes through a surrogate pair, wherever it falls', () => {
  const text = `a${'😀'.repeat(20)} b${'😀'.repeat(20)}`;
  for (let max = 0; max <= text.length; max += 1) {
    for (const cut of [cutText(text, max), cutBetweenWords(text, max)]) {
      expect(cut.isWellFormed()).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(max);
      expect(text.startsWith(cut)).toBe(true);
    }
    expect(cutText(text, max).length).toBeGreaterThanOrEqual(max - 1);
  }
});

it('a text is cut where a word ends, unless that leaves less than half of it', () => {
  expect(cutBetweenWords('the otter swims', 12)).toBe('the otter');
  expect(cutBetweenWords('an otterlikecreature', 12)).toBe('an ott');
  expect(cutBetweenWords('an otter', 12)).toBe('an otter');
});
