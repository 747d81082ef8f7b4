import { describe, expect, it } from '@jest/globals';
import { canonicalFigure, NUMBER_WORD_PATTERN, NUMBER_WORDS, numberWord, parseNumber } from './numbers.ts';

describe('parseNumber', () => {
  it.each([
    ['1,000', 1_000],
    ['1’234’567.5', 1_234_567.5],
    ['1,5', 1.5],
    ['0.25', 0.25],
    ['−3', -3],
    ['12.', 12],
    ['three', 3],
    ['Twenty-five', 25],
    ['two hundred', 200],
    ['hundred', 100],
    ['half', 0.5],
    ['an', 1],
  ])('reads %s', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  it.each(['', 'many', 'two dogs', '1.2.3'])('is NaN for %j', (text) => {
    expect(parseNumber(text)).toBeNaN();
  });
});

describe('canonicalFigure', () => {
  it.each([
    ['1,000', '1000'],
    ['1,234,567.50', '1234567.5'],
    ['2.50', '2.5'],
  ])('writes %s as %s', (figure, canonical) => {
    expect(canonicalFigure(figure)).toBe(canonical);
  });

  it.each(['1,5', '12:30', '007', '1.2.3', '12345678901234567890'])('leaves %s as it is', (figure) => {
    expect(canonicalFigure(figure)).toBe(figure);
  });
});

describe('the pattern of number words', () => {
  it('matches each word whole, although some begin others', () => {
    const pattern = new RegExp(NUMBER_WORD_PATTERN, 'i');
    const words = Object.keys(NUMBER_WORDS);
    expect(words.map((word) => pattern.exec(word)?.[0])).toEqual(words);
    expect(NUMBER_WORD_PATTERN.split('|').toSorted()).toEqual(words.toSorted());
  });

  it('knows the value of each, whatever its case', () => {
    expect([numberWord('Nine'), numberWord('ſix'), numberWord('constructor')]).toEqual([9, 6, null]);
  });
});
