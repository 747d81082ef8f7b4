import { expect, it } from '@jest/globals';
import { independentGroups, type Pair } from './contradictions.ts';

const pair = (doc: string, s: string): Pair => ({ doc, s, kind: 'plain', label: 'agrees', a: 'a', b: 'b' });

it('pairs of one subject or of one source never come into one memory, and none is left out', () => {
  const pairs = [pair('1', 'Acme'), pair('1', 'Bolt'), pair('2', 'acme'), pair('2', 'Crane'), pair('3', 'Drum')];
  const rounds = independentGroups(pairs);
  expect(rounds.flat().sort((a, b) => pairs.indexOf(a) - pairs.indexOf(b))).toEqual(pairs);
  for (const round of rounds) {
    expect(new Set(round.map(({ doc }) => doc)).size).toBe(round.length);
    expect(new Set(round.map(({ s }) => s.toLowerCase())).size).toBe(round.length);
  }
  expect(rounds).toHaveLength(2);
});
