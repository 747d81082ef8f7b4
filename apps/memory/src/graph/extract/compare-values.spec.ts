import { describe, expect, it } from '@jest/globals';
import { compareValues } from './compare-values.ts';
import { readValue } from './values.ts';

const compared = (a: string, b: string) => compareValues(readValue(a)!.value, readValue(b)!.value);

describe('two amounts', () => {
  it.each([
    ['5 km', '5,000 m'],
    ['5 km', '3.1 miles'],
    ['2.5 tonnes', '2,500 kg'],
    ['1.2 GHz', '1,200 MHz'],
    ['100 km/h', '62 mph'],
    ['six feet', '1.83 metres'],
  ])('in units of the same kind agree when they are the same: %s and %s', (a, b) => {
    expect([compared(a, b), compared(b, a)]).toEqual(['same', 'same']);
  });

  it.each([
    ['5 km', '5 miles'],
    ['5 km', '50,000 m'],
    ['30 kg', '30 grams'],
    ['at least 5 km', '300 m'],
    ['5 km', '6 km'],
  ])('in units of the same kind exclude each other when they are not: %s and %s', (a, b) => {
    expect([compared(a, b), compared(b, a)]).toEqual(['excluding', 'excluding']);
  });

  it.each([
    ['5 km', '5 kg'],
    ['12 members', '12 m'],
    ['20 beds', '30 rooms'],
  ])('of different things say nothing about each other: %s and %s', (a, b) => {
    expect(compared(a, b)).toBe('unrelated');
  });
});
