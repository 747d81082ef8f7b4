import { describe, expect, test } from '@jest/globals';
import { groupSentences, tokenize } from './tokens.ts';

const forms = (text: string) => tokenize(text).map(({ form }) => form);
const sentences = (text: string) =>
  groupSentences(text, tokenize(text)).map((tokens) => text.slice(tokens[0]!.start, tokens.at(-1)!.end));

describe('tokens', () => {
  test.each([
    ["It isn't Anna's.", ['It', 'is', "n't", 'Anna', "'s", '.']],
    ['Mr. Smith of Acme Inc. left.', ['Mr.', 'Smith', 'of', 'Acme', 'Inc.', 'left', '.']],
    ['a well-known co-founder', ['a', 'well', '-', 'known', 'co-founder']],
    ['Jean-Pierre met al-Assad', ['Jean-Pierre', 'met', 'al-Assad']],
    ['the U.S. paid $1,200.50 (4th)', ['the', 'U.S.', 'paid', '$', '1,200.50', '(', '4th', ')']],
    ['see https://example.org/a, or a@b.org.', ['see', 'https://example.org/a', ',', 'or', 'a@b.org', '.']],
    ['1932–2001 … and so on...', ['1932', '–', '2001', '…', 'and', 'so', 'on', '...']],
    ['AT&T cannot', ['AT&T', 'can', 'not']],
    ['Sanofi’s', ['Sanofi', '’s']],
  ])('%s', (text, expected) => {
    expect(forms(text)).toEqual(expected);
  });

  test('a token is what stands at its place', () => {
    const text = 'Žarko 😀 was‏ born in 東京, 1950.';
    for (const { form, start, end } of tokenize(text)) expect(text.slice(start, end)).toBe(form);
  });
});

describe('sentences', () => {
  test('end at full stops, not at abbreviations and not in brackets', () => {
    expect(sentences('Dr. Roe left (see p. 4. It is there). He came back! "Why?" She knew.')).toEqual([
      'Dr. Roe left (see p. 4. It is there).',
      'He came back!',
      '"Why?"',
      'She knew.',
    ]);
  });

  test('end at blank lines and at lines of a list', () => {
    expect(sentences('Our offices\n\nBerlin and\nlater Paris\n- Rome\n- Oslo')).toEqual([
      'Our offices',
      'Berlin and\nlater Paris',
      '- Rome',
      '- Oslo',
    ]);
  });
});
