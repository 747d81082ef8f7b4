import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type NameVariant, presentNames } from './present-names.ts';

const row: fc.Arbitrary<NameVariant> = fc.record({
  norm: fc.constant('pecheries kervalec'),
  class: fc.constantFrom('person', 'organisation', 'place', 'product', 'other'),
  forms: fc.dictionary(fc.constantFrom('Pêcheries Kervalec', 'Pecheries Kervalec', 'PÊCHERIES KERVALEC'), fc.nat(9), {
    maxKeys: 3,
  }),
  statements: fc.nat(3),
});

describe('what names show of their entity', () => {
  it('is the same in whatever order the names come', () => {
    const rows = fc.uniqueArray(row, { selector: (each) => each.class, minLength: 1, maxLength: 5 });
    const shuffled = rows.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(fc.property(shuffled, ([one, other]) => expect(presentNames(other)).toEqual(presentNames(one))));
  });

  it('is the class that statements support, against guesses at some more places', () => {
    const guessed = { norm: 'pecheries kervalec', class: 'person', forms: { 'Pêcheries Kervalec': 12 } };
    const stated = { ...guessed, class: 'organisation', forms: { 'Pêcheries Kervalec': 3 }, statements: 3 };
    expect(presentNames([guessed, stated]).type).toBe('organisation');
    expect(presentNames([guessed, { ...stated, statements: 0 }]).type).toBe('person');
  });
});
