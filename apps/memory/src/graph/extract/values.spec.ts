import { describe, expect, it } from '@jest/globals';
import { readValue } from './values.ts';

describe('a value', () => {
  it.each([
    ['fourteen pumps', 14, 'pump'],
    ['two hundred pumps', 200, 'pump'],
    ['twenty-five kg', 25, 'kg'],
    ['1,250 pumps', 1_250, 'pump'],
    ['5 miles', 5, 'mile'],
    ['12 members', 12, 'member'],
    ['20 beds', 20, 'bed'],
    ['3 gigawatts', 3, 'gigawatt'],
    ['5 m²', 5, 'm²'],
  ])('is the amount that %j says', (text, amount, unit) => {
    expect(readValue(text)).toEqual({
      value: { kind: 'quantity', amount, unit, bound: 'exact' },
      text,
      length: text.length,
    });
  });

  it('is the days of a month however it is written', () => {
    for (const text of ['September 2026', 'sept. 2026', 'Sep 2026'])
      expect(readValue(text)?.value).toEqual({ kind: 'date', from: '2026-09-01', to: '2026-09-30' });
  });
});
