import { describe, expect, test } from '@jest/globals';
import { ContradictionDetector, createReader, loadShippedModel } from '../src/index.ts';

const model = loadShippedModel();
const reader = createReader(model);
const comparer = new ContradictionDetector(model.lexicon);
const found = (a: string, b: string) =>
  comparer
    .disagreements(reader.read(a).relations, reader.read(b).relations)
    .map(({ kind, relation, b: later }) => `${kind} ${relation} ${later.object.text}`);

describe('two texts', () => {
  test.each([
    [
      'Orvik Instruments was founded in 1987.',
      'Orvik Instruments was founded in 1992.',
      'contradicts founded_date 1992',
    ],
    ['Anna Berg was born in Bergen, Norway.', 'Anna Berg was born in Chicago.', 'contradicts born_in Chicago'],
    [
      'Anna Berg (born 11 May 1955) is a painter.',
      'Anna Berg was born on 3 May 1950.',
      'contradicts birth_date 3 May 1950',
    ],
    [
      'Ola Nordmann is the CEO of Orvik Instruments.',
      'The CEO of Orvik Instruments is Jane Roe.',
      'contradicts ceo Jane Roe',
    ],
  ])('contradict: %s %s', (a, b, expected) => {
    expect(found(a, b)).toContain(expected);
  });

  test.each([
    ['a date may be less precise', 'Anna Berg was born on 11 May 1955.', 'Anna Berg was born in 1955.'],
    ['a town lies in its country', 'Anna Berg was born in Bergen.', 'Anna Berg was born in Norway.'],
    [
      'a first name may be left out',
      'Ola Nordmann is the CEO of Orvik Instruments.',
      'The CEO of Orvik Instruments is Nordmann.',
    ],
    ['a place is in another relation', 'Anna Berg was born in Bergen.', 'Anna Berg lives in Chicago.'],
    ['somebody else is spoken of', 'Anna Berg was born in 1955.', 'Jane Roe was born in 1960.'],
    ['it is denied', 'Anna Berg was born in Bergen.', 'Anna Berg was not born in Chicago.'],
  ])('agree: %s', (_why, a, b) => {
    expect(found(a, b)).toEqual([]);
  });

  test('what is over is superseded by what is not', () => {
    const former = 'Ola Nordmann is the former CEO of Orvik Instruments.';
    expect(found('The CEO of Orvik Instruments is Jane Roe.', former)).toEqual(['supersedes ceo Jane Roe']);
  });
});
