import { expect, test } from '@jest/globals';
import { Lexicon, PLACE } from '../learned/lexicon.ts';
import { nameKey, sameName } from './names.ts';
import { Places } from './places.ts';
import { areDisjoint, comparePlaces } from './values.ts';

test.each([
  ['The Acme Corporation', 'ACME', true],
  ['Ola Nordmann', 'Nordmann', true],
  ['Škoda', 'Skoda', true],
  ["Shearer's Foods", 'Shearer Foods', true],
  ['Ann', 'Anna', false],
  ['The', 'A', false],
])('%s and %s are one name: %s', (a, b, same) => {
  expect(sameName(a, b)).toBe(same);
});

test('a name keeps its last word, though it be a legal form', () => {
  expect(nameKey('Company')).toBe('company');
  expect(nameKey('Orvik Instruments, Inc.')).toBe('orvik instruments');
});

test('places lie in each other, or apart, or it is not known', () => {
  const places = new Places(
    new Lexicon({
      words: [],
      lemmas: [],
      regions: [],
      tags: [],
      cities: [
        ['bergen', 'DE NO'],
        ['austin', 'US-TX'],
      ],
    }),
  );
  const apart = (a: string, b: string) => areDisjoint(places.named([a]), places.named([b]));
  expect(apart('Bergen', 'Norway')).toBe(false);
  expect(apart('Bergen', 'Japan')).toBe(true);
  expect(apart('Austin', 'Texas')).toBe(false);
  expect(apart('Austin', 'United States')).toBe(false);
  expect(apart('Austin', 'Ohio')).toBe(true);
  expect(apart('Austin', 'Bergen')).toBeNull();
  expect(apart('Nowhere', 'Norway')).toBeNull();
});

const REGIONS: [string, string][] = [
  ['hesse', 'DE-hesse'],
  ['saxony', 'DE-saxony'],
  ['ruhr', '~ruhr DE'],
  ['ontario', 'CA-ontario US-CA'],
];

test.each([
  ['Texas', 'United States', 'unrelated'],
  ['Bavaria', 'Germany', 'unrelated'],
  ['Texas', 'Ohio', 'excluding'],
  ['England', 'Scotland', 'excluding'],
  ['Wales', 'UK', 'unrelated'],
  ['USA', 'United States', 'same'],
  ['Norway', 'Japan', 'excluding'],
  ['Bavaria', 'Yorkshire', 'excluding'],
  ['GA', 'Ohio', 'excluding'],
  ['FL', 'Florida', 'same'],
  ['GA', 'USA', 'unrelated'],
  ['Hesse', 'Germany', 'unrelated'],
  ['Hesse', 'Japan', 'excluding'],
  ['Hesse', 'Saxony', 'excluding'],
  ['Hesse', 'Ruhr', 'unrelated'],
  ['Ruhr', 'Japan', 'excluding'],
  ['Hesse', 'Texas', 'excluding'],
  ['Ruhr', 'Germany', 'unrelated'],
  ['Ontario', 'California', 'unrelated'],
  ['Ontario', 'Canada', 'unrelated'],
  ['Ontario', 'Japan', 'excluding'],
  ['United Kingdom', 'UK', 'same'],
  ['Paris', 'France', 'unrelated'],
])('%s and %s: %s', (a, b, expected) => {
  const regions: [string, number][] = ['bavaria', 'yorkshire'].map((name) => [name, PLACE]);
  const places = new Places(
    new Lexicon({ words: regions, lemmas: [], tags: [], cities: [['paris', 'FR US-TX']], regions: REGIONS }),
  );
  expect(comparePlaces(places.named([a]), places.named([b]))).toBe(expected);
});
