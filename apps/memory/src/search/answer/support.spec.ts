import { describe, expect, it } from '@jest/globals';
import { supportedBy } from './support.ts';

const SOURCE = [
  'Harbour › Ferries\nThe ferry Aurora, built by Lindhofer in 1931, carries 1,000 people. See https://harbour.example/aurora. Das Schiff fährt nach Lindau.',
];

describe('a generated sentence', () => {
  it.each([
    'The ferry Aurora carries 1000 people.',
    'Built in 1931 by Lindhofer, the Aurora carries 1,000 people.',
    'Details of the ferry are at https://harbour.example/aurora.',
    'Das Schiff Aurora fährt nach Lindau.',
  ])('is carried by a source that says it: %s', (sentence) => {
    expect(supportedBy(sentence, SOURCE)).toBe(true);
  });

  it.each([
    ['a number of its own', 'The ferry Aurora carries 1,100 people.'],
    ['a name of its own', 'The ferry Aurora, built by Marzolla, carries people.'],
    ['an address of its own', 'The ferry Aurora carries people, see https://evil.example/aurora?q=1.'],
    ['a mail address of its own', 'The ferry Aurora carries people, ask aurora@evil.example.'],
    ['mostly words of its own', 'The ferry serves delicious breakfast every single morning.'],
    ['no word at all', '[1]'],
  ])('is not carried when it has %s', (_what, sentence) => {
    expect(supportedBy(sentence, SOURCE)).toBe(false);
  });
});
