import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { analyse } from './analyse.ts';
import { eachTerm, TERM_NUMBERS, termNumber, TERMS } from './each-term.ts';

/** What words, identifiers, dates and other scripts are made of. */
const PIECES = [
  ...[
    'word',
    'Words',
    'the',
    'iPhone',
    'C',
    '++',
    '#',
    'don’t',
    'für',
    'naïve',
    '日本',
    'ไทยแลนด์',
    '😀',
    'ſ',
    'ﬁ',
    '\u0301',
  ],
  ...[
    '14 March 2026',
    'March ',
    ' 2019',
    '1st ',
    'of ',
    '14.03.2026',
    '2026-03',
    'v1.2.3',
    '3,456',
    'a@b.org',
    '٣',
    '[1]',
  ],
  ...["'", '.', '@', '-', '/', ':', '&', '_', ',', ' ', '\n', '–', '“', '\ud800'],
];
const TEXTS = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(''));

describe('terms passed one by one', () => {
  it('are those of the analyser without its stop words, in the same order and places', () => {
    fc.assert(
      fc.property(
        TEXTS,
        fc.constantFrom('en', 'de', 'fr', 'und'),
        fc.constantFrom(3, 4_096),
        (text, language, wordsMax) => {
          const analysed = analyse(text, language, wordsMax);
          const expected = analysed
            .filter(({ stopWord }) => !stopWord)
            .map(({ term, position }) => ({ term, position }));
          const taken: { term: string; position: number }[] = [];
          const numbers: number[] = [];
          const options = { language, wordsMax };
          const last = eachTerm(text, { ...options, form: TERMS }, (term, position) => taken.push({ term, position }));
          eachTerm(text, { ...options, form: TERM_NUMBERS }, (number) => numbers.push(number));
          expect(taken).toEqual(expected);
          expect(numbers).toEqual(expected.map(({ term }) => termNumber(term)));
          expect(last).toBe(analysed.at(-1)?.position ?? 0);
        },
      ),
      { numRuns: 500 },
    );
  });
});
