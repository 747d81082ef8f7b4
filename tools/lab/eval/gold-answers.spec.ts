import { describe, expect, it } from '@jest/globals';
import { containsAnswer } from './gold-answers.ts';

describe('a short answer', () => {
  it.each([
    ['Born in the Gdańsk of 1950. [1]', 'Gdansk', true],
    ['He leads The WB. [1]', 'WB', true],
    ['He was born in 1950.', '195', false],
    ['He sings. [1]', '1', false],
  ])('is said, in whole words: “%s” says “%s”: %s', (text, short, expected) => {
    expect(containsAnswer(text, short)).toBe(expected);
  });
});
