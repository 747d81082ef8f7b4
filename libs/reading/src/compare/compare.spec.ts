import { expect, test } from '@jest/globals';
import { Lexicon } from '../learned/lexicon.ts';
import { nameKey, sameName } from './names.ts';
import { Places } from './places.ts';

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
      tags: [],
      cities: [
        ['bergen', 'DE NO'],
        ['austin', 'US-TX'],
      ],
    }),
  );
  expect(places.areApart('Bergen', 'Norway')).toBe(false);
  expect(places.areApart('Bergen', 'Japan')).toBe(true);
  expect(places.areApart('Austin', 'Texas')).toBe(false);
  expect(places.areApart('Austin', 'United States')).toBe(false);
  expect(places.areApart('Austin', 'Ohio')).toBe(true);
  expect(places.areApart('Austin', 'Bergen')).toBeNull();
  expect(places.areApart('Nowhere', 'Norway')).toBeNull();
});
