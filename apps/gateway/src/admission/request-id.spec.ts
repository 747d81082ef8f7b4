import { describe, expect, it } from '@jest/globals';
import { requestIdOf } from './request-id.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the id of a request', () => {
  it.each(['a', '~!"{}<>', 'x'.repeat(128)])("is the caller's own: %s", (id) => {
    expect(requestIdOf({ 'x-request-id': id })).toBe(id);
  });

  it.each(['', ' ', 'a b', 'x'.repeat(129), 'ä', 'a\tb', 'a\nb', '\u007f', 'a, b'])(
    'is a new one instead of %j',
    (id) => {
      expect(requestIdOf({ 'x-request-id': id })).toMatch(UUID);
    },
  );

  it('is a new one each time when there is none', () => {
    expect(requestIdOf({})).toMatch(UUID);
    expect(requestIdOf({})).not.toBe(requestIdOf({}));
  });
});
