import { describe, expect, it } from '@jest/globals';
import { CairnError } from '@cairn/errors';
import { unavailable } from './unavailable.ts';

describe('a call that fails', () => {
  it("is a service that is down, never the caller's fault", () => {
    for (const error of [
      new CairnError('identity_invalid', 'a'),
      new CairnError('validation_failed', 'b'),
      new Error('c'),
      'd',
    ]) {
      expect(unavailable(error)).toMatchObject({ code: 'unavailable', cause: error });
    }
    const already = new CairnError('unavailable', 'down');
    expect(unavailable(already)).toBe(already);
  });
});
