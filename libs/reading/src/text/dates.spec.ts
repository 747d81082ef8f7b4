import { expect, test } from '@jest/globals';
import { findDates } from './dates.ts';
import { tokenize } from './tokens.ts';

const datesIn = (text: string) =>
  findDates(tokenize(text), text).map(({ text: words, value }) => [words, value.from, value.to]);

test.each([
  ['It was founded in 1987.', [['1987', '1987-01-01', '1987-12-31']]],
  ['born 11 May 1955', [['11 May 1955', '1955-05-11', '1955-05-11']]],
  ['on May 11th, 1955,', [['May 11th, 1955', '1955-05-11', '1955-05-11']]],
  ['in February of 2012', [['February of 2012', '2012-02-01', '2012-02-29']]],
  ['the 3rd of Sept. 1900', [['3rd of Sept. 1900', '1900-09-03', '1900-09-03']]],
  ['on 2001-02-03', [['2001-02-03', '2001-02-03', '2001-02-03']]],
  ['in the 1990s', [['1990s', '1990-01-01', '1999-12-31']]],
  [
    '(1932–2001)',
    [
      ['1932', '1932-01-01', '1932-12-31'],
      ['2001', '2001-01-01', '2001-12-31'],
    ],
  ],
  ['2000 % of 1,987 people may come on May 4', []],
])('%s', (text, expected) => {
  expect(datesIn(text)).toEqual(expected);
});
