import { describe, expect, it } from '@jest/globals';
import { EUROPEAN_MONTH_PATTERN, MONTH_NAME_PATTERN, MONTH_PATTERN, monthNames, monthOf, MONTHS } from './months.ts';

describe('months', () => {
  it.each([
    ['January', 1],
    ['mar', 3],
    ['May', 5],
    ['Sept.', 9],
    ['december', 12],
    ['ma', 0],
    ['mars', 0],
    ['Marc', 0],
    ['jul.', 7],
    ['', 0],
  ])('%j is number %d', (name, month) => {
    expect(monthOf(name)).toBe(month);
  });

  it('are matched whole by each pattern', () => {
    for (const pattern of [MONTH_NAME_PATTERN, MONTH_PATTERN, EUROPEAN_MONTH_PATTERN])
      for (const month of MONTHS) expect(new RegExp(`^(?:${pattern})$`, 'i').test(month)).toBe(true);
    expect(new RegExp(`^(?:${MONTH_PATTERN})$`, 'i').test('Sept')).toBe(true);
    expect(new RegExp(`^(?:${EUROPEAN_MONTH_PATTERN})$`, 'iu').test('août')).toBe(true);
  });

  it('have names in other languages, as dates inflect them', () => {
    const names = monthNames(['en', 'de', 'pl', 'fr']);
    expect([names.get('märz'), names.get('stycznia'), names.get('août'), names.get('sept')]).toEqual([3, 1, 8, 9]);
  });
});
