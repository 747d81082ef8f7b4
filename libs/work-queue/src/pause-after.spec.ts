import { describe, expect, it } from '@jest/globals';
import { pauseAfter } from './pause-after.ts';

describe('the pause after a failed attempt', () => {
  it('grows from attempt to attempt, and the last one is used from then on', () => {
    expect([1, 2, 3, 4, 100].map((attempt) => pauseAfter(attempt, [10, 20, 30]))).toEqual([10, 20, 30, 30, 30]);
  });
});
