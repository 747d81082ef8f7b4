import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { analyse, analyseQuery } from './analyse.ts';
import { detectLanguage } from './detect-language.ts';
import { isPlain } from './plain-text.ts';
import { TERM_MAX_BYTES } from './word-terms.ts';

function termsAt(text: string, language = detectLanguage(text)): string[] {
  return analyse(text, language).map(
    ({ term, position, stopWord }) => `${position}:${stopWord ? `(${term.slice(1)})` : term}`,
  );
}

describe('the analyser', () => {
  it('keeps identifiers whole and in parts, parts in the order of a phrase', () => {
    expect(termsAt('ERR-4711 v2.3.1')).toEqual([
      '0:err',
      '0:err-4711',
      '1:4711',
      '2:v2',
      '2:v2.3.1',
      '2:2.3.1',
      '3:3',
      '4:1',
    ]);
    expect(termsAt('snake_case camelCase')).toEqual([
      '0:snake',
      '0:snake_case',
      '1:case',
      '2:camel',
      '2:camelcas',
      '3:case',
    ]);
    expect(termsAt('a.b@mail.example', 'und')).toEqual([
      '0:a',
      '0:a.b@mail.example',
      '0:mail.example',
      '1:b',
      '2:mail',
      '3:example',
    ]);
    expect(termsAt('https://www.example.org/a', 'und')).toEqual(
      expect.arrayContaining(['0:www.example.org', '0:example.org', '2:example']),
    );
    expect(termsAt('10,000 C++ mRNA', 'und')).toEqual(expect.arrayContaining(['0:10000', '2:c++', '3:mrna']));
  });

  it('gives every spelling of a date the same terms', () => {
    const spellings = [
      '2026-03-14',
      '14 March 2026',
      'March 14th, 2026',
      '14.03.2026',
      '14. März 2026',
      '14 de marzo de 2026',
      '3/14/2026',
      'le 14 mars 2026',
    ];
    for (const spelling of spellings) {
      expect([spelling, ...analyse(spelling, 'en').map(({ term }) => term)]).toEqual(
        expect.arrayContaining([spelling, 'date:2026-03-14', 'date:2026-03']),
      );
    }
    expect(analyse('May 2020', 'en').map(({ term }) => term)).toEqual(['may', 'date:2020-05', '2020']);
    expect(analyse('03/04/2026 and 31.02.2026', 'en').some(({ term }) => term.startsWith('date:'))).toBe(false);
  });

  it('finds words with and without accents', () => {
    const shared = (a: string, b: string, language: string) =>
      analyseQuery(a, language).some((term) => analyseQuery(b, language).includes(term));
    for (const [accented, plain, language] of [
      ['café', 'cafe', 'fr'],
      ['mangée', 'mangee', 'fr'],
      ['Straße', 'strasse', 'de'],
      ['canción', 'cancion', 'es'],
      ['naïve', 'naive', 'en'],
    ] as const) {
      expect([accented, shared(accented, plain, language)]).toEqual([accented, true]);
    }
  });

  it('reads words with soft hyphens, joiners and byte order marks in them as those without', () => {
    const hyphenated = 'Die Donau\u00addampf\u00adschiff\u2060fahrt nach \ufeffWien';
    expect(termsAt(hyphenated)).toEqual(termsAt(hyphenated.replace(/[\u00ad\u2060\ufeff]/g, '')));
  });

  it('marks the stop words of a language, contractions and elisions', () => {
    expect(termsAt("don't stop the cat's nap", 'en')).toEqual(["0:(don't)", '1:stop', '2:(the)', '3:cat', '4:nap']);
    expect(termsAt("l'homme et la mer", 'fr')).toEqual(['0:homm', '1:(et)', '2:(la)', '3:mer']);
    expect(analyseQuery('What did the engineers say about the pumps?')).toEqual(['engin', 'say', 'pump']);
  });

  it('splits Chinese, Japanese and Korean into pairs and Thai into words', () => {
    expect(termsAt('東京都', 'und')).toEqual(['0:東京', '1:京都']);
    expect(termsAt('語', 'und')).toEqual(['0:語']);
    expect(termsAt('สวัสดีครับ', 'und')).toEqual(['0:สวัสดี', '1:ครับ']);
  });

  it('bounds terms and texts', () => {
    const long = 'x'.repeat(500);
    const [term] = analyse(long, 'en');
    expect(Buffer.byteLength(term!.term)).toBeLessThanOrEqual(TERM_MAX_BYTES);
    expect(analyse(`${long}y`, 'en')[0]!.term).not.toBe(term!.term);
    expect(analyse('word '.repeat(100), 'en', 10)).toHaveLength(10);
    expect(analyse('\ud800 lone \udfff', 'en').map((found) => found.term)).toEqual(['lone']);
  });

  it('tells languages apart and takes English where nothing speaks against it', () => {
    expect(detectLanguage('Die Pumpe ist heute nicht in Betrieb')).toBe('de');
    expect(detectLanguage('La pompe ne fonctionne pas dans le sous-sol')).toBe('fr');
    expect(detectLanguage('La bomba no funciona en el sótano de la casa')).toBe('es');
    expect(detectLanguage('Насос не работает')).toBe('ru');
    expect(detectLanguage('Насос не працює, його замінили')).toBe('uk');
    expect(detectLanguage('Pump 4711 failure')).toBe('en');
    expect(detectLanguage('doc_d8d1f5b8_16 of replaced failed pump md9a27ab3463a1d8521e3')).toBe('en');
    expect(detectLanguage('東京')).toBe('und');
    expect(detectLanguage('')).toBe('und');
  });
});

describe('texts without other letters than those of ASCII', () => {
  const pieces = ['c++', 'C#', 'v1.2.3', '12,345', "don't", '2024-03-05', 'May', '5', 'iPhone', 'x_y', 'a@b.example'];
  const signs = ['–', '’', '“a”', 'a…', '€5', 'a › b', '→', '×', '✓', '5°', '¿a?', '¡a!'];
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(...pieces),
        fc.constantFrom(...signs),
        fc.string({ unit: 'grapheme-ascii', maxLength: 4 }),
      ),
      { maxLength: 10 },
    )
    .chain((parts) => fc.constantFrom(' ', '', '-', ', ').map((between) => parts.join(between)));

  it('have the terms that they have beside other letters', () => {
    fc.assert(
      fc.property(text, (plain) => {
        const mixed = analyse(`${plain} ß`, 'en');
        expect(analyse(plain, 'en')).toEqual(mixed.slice(0, -1));
        expect(mixed.at(-1)).toMatchObject({ term: 'ss' });
      }),
      { numRuns: 2_000 },
    );
  });

  it('are known by each of their characters', () => {
    const others = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
      (character) => character > '\x7f' && isPlain(character),
    );
    expect(others).toEqual(expect.arrayContaining([...'–’“…€›→×✓°']));
    expect(others.filter((character) => /[\p{L}\p{M}\p{N}¿¡]/u.test(character))).toEqual([]);
  });

  it('are none with signs that tell a language', () => {
    expect(['¿Que hora es?', '¡Feliz cumple, Ana! ¡Saludos!'].map((asked) => detectLanguage(asked))).toEqual([
      'es',
      'es',
    ]);
  });

  it('are of the language that they are of beside letters of none', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('the', 'und der ist', 'el los una'), (plain, words) => {
        expect(detectLanguage(`${words} ${plain} þ`)).toBe(detectLanguage(`${words} ${plain}`));
      }),
      { numRuns: 500 },
    );
  });
});

describe('irregular English forms', () => {
  it.each([
    ['the mice went', 'a mouse goes'],
    ['people bought knives', 'a person buys a knife'],
    ['the analyses were written', 'an analysis to write'],
  ])('are the word that they are forms of: %s', (one, other) => {
    expect(analyseQuery(one, 'en')).toEqual(analyseQuery(other, 'en'));
  });

  it('stay what they are when they are more often a word of their own, and in other languages', () => {
    expect(analyseQuery('ground rent', 'en')).toEqual(['ground', 'rent']);
    expect(analyseQuery('went', 'nl')).toEqual(['went']);
  });
});
