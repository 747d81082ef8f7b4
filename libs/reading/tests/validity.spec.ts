import { expect, test } from '@jest/globals';
import { createReader, loadShippedModel } from '../src/index.ts';
import { VALIDITY_SENTENCES } from './validity-sentences.ts';

const reader = createReader(loadShippedModel());

/** What is missing of a sentence's facts. */
function missing({ text, facts }: (typeof VALIDITY_SENTENCES)[number]): string[] {
  const read = reader.read(text).relations.filter(({ open, negated }) => !open && !negated);
  return facts.filter((fact) => {
    const [relations, subject, object, from, to, state] = fact.split(' | ').map((part) => part.split('/'));
    return !read.some(
      (one) =>
        relations!.includes(one.relation) &&
        one.subject.text.includes(subject![0]!) &&
        one.object.text.includes(object![0]!) &&
        from!.includes(one.validity.since ?? '-') &&
        to!.includes(one.validity.until ?? '-') &&
        (one.validity.past === true) === (state![0] === 'ended'),
    );
  });
}

/** Measured on the day on which the sentences were first read: 10 and 6 before the reader had times of clauses. */
test.each([
  ['looked at while the reader was changed', 0, 31, 24],
  ['held out', 1, 27, 20],
])('facts of sentences %s have their times', (_which, half, of, rightMin) => {
  const sentences = VALIDITY_SENTENCES.filter((_sentence, at) => at % 2 === half);
  const facts = sentences.flatMap((sentence) => sentence.facts).length;
  expect(facts).toBe(of);
  expect(facts - sentences.flatMap(missing).length).toBeGreaterThanOrEqual(rightMin);
});

const times = (text: string) =>
  reader
    .read(text)
    .relations.filter(({ open }) => !open)
    .map(({ relation, object, validity: { since, until, past } }) =>
      [relation, object.text, since ?? '-', until ?? '-', past === true ? 'ended' : 'holds'].join(' '),
    );

test.each([
  ['Anna Berg was the CEO of Orvik Instruments from 2015 to 2019.', 'ceo Anna Berg 2015-01-01 2019-12-31 ended'],
  ['Anna Berg has been the CEO of Orvik Instruments since May 2015.', 'ceo Anna Berg 2015-05-01 - holds'],
  [
    'Anna Berg worked for Orvik Instruments between 2009 and 2012.',
    'works_for Orvik Instruments 2009-01-01 2012-12-31 ended',
  ],
  ['Before 2010, Orvik Instruments was based in Bergen.', 'headquarters Bergen - 2010-01-01 ended'],
  [
    'Orvik Instruments moved its headquarters from Bergen to Oslo in June 2022.',
    'headquarters Bergen - 2022-06-30 ended',
  ],
  [
    'Orvik Instruments moved its headquarters from Bergen to Oslo in June 2022.',
    'headquarters Oslo 2022-06-01 - holds',
  ],
  ['Anna Berg left Orvik Instruments in 2011.', 'works_for Orvik Instruments - 2011-12-31 ended'],
  ['Anna Berg succeeded John Lund as CEO of Orvik Instruments in 2011.', 'ceo John Lund - 2011-12-31 ended'],
  ['Anna Berg succeeded John Lund as CEO of Orvik Instruments in 2011.', 'ceo Anna Berg 2011-01-01 - holds'],
  [
    'Widget Ltd was sold by Acme Corporation to Orvik Instruments in 2004.',
    'owned_by Acme Corporation - 2004-12-31 ended',
  ],
])('%s says: %s', (text, expected) => {
  expect(times(text)).toContain(expected);
});

test.each([
  [
    'the day on which something is said',
    'Anna Berg, CEO of Orvik Instruments, said on 3 May 2021 that it grew.',
    'ceo',
  ],
  ['the time of another clause', 'Anna Berg lives in Oslo and sold Widget Ltd in 2004.', 'lives_in'],
])('%s is no time of another fact', (_why, text, relation) => {
  const { validity } = reader.read(text).relations.find((one) => one.relation === relation)!;
  expect(validity).toEqual({});
});

test('"until then" points to what was dated last, in a sentence of its own too', () => {
  const said = times(
    'Orvik Instruments moved its headquarters to Oslo on 3 June 2022. Until then the company was based in Bergen.',
  );
  expect(said).toContain('headquarters Bergen - 2022-06-03 ended');
});
