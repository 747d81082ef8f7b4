import { expect, it } from '@jest/globals';
import { sharedWording } from './shared-wording.ts';

it.each([
  [
    'The cold room holds 12 racks in 2024.',
    'The cold room holds 14 racks in 2024.',
    'The cold room holds … racks in 2024.',
  ],
  ['Anna Berg was born in Lund in 1961.', 'Anna Berg was born in Malmö in 1964.', 'Anna Berg was born in … in …'],
  ['The pump runs at night.', 'The pump does not run at night.', 'The pump … at night.'],
])('%s / %s: says what both say', (a, b, shared) => {
  expect(sharedWording(a, b)).toBe(shared);
});

it('leaves the first as it is when the two are worded differently', () => {
  const text = 'Revenue of the port reached 12 million euros.';
  expect(sharedWording(text, 'In that year it took in 14 million, the report says.')).toBe(text);
});

it('cuts a long one between words', () => {
  const long = Array.from({ length: 80 }, (_none, n) => `word${n}`).join(' ');
  const shared = sharedWording(long, long);
  expect(shared.length).toBeLessThanOrEqual(200);
  expect(shared).toMatch(/^word0 word1 .* word\d+ …$/);
  expect(sharedWording('x'.repeat(300), 'y')).toHaveLength(200);
});
