import { describe, expect, it } from '@jest/globals';
import { NotFoundError, PlanLimitError } from '@cairn/sdk';
import { CredentialError, exitCodeOf, exitCodeOfStatus, UsageError, wordsOf } from './failures.ts';

describe('how a command ends', () => {
  it.each([
    [1, new Error('no answer')],
    [2, new UsageError('which?')],
    [3, new CredentialError('no key')],
    [4, new NotFoundError('nothing there', { status: 404 })],
    [5, new PlanLimitError('used up', { status: 402 })],
  ])('is %s for its kind of error', (code, error) => {
    expect(exitCodeOf(error)).toBe(code);
  });

  it('is by the status where a request was refused', () => {
    expect([401, 403, 404, 402, 429, 422, 500].map(exitCodeOfStatus)).toEqual([3, 3, 4, 5, 5, 1, 1]);
  });

  it('says what is wrong with a path in words', () => {
    const error = Object.assign(new Error("ENOENT: no such file or directory, stat 'x'"), {
      code: 'ENOENT',
      path: 'x',
    });
    expect(wordsOf(error)).toBe('x does not exist.');
  });
});
