import { expect, test } from '@jest/globals';
import { createReader, loadShippedModel } from '../src/index.ts';

const reader = createReader(loadShippedModel());
const facts = (text: string) =>
  reader
    .read(text)
    .relations.filter(({ open }) => !open)
    .map(({ subject, relation, object, negated, validity: { since, until, past } }) =>
      [
        negated ? 'not ' : '',
        `${subject.text} ${relation} ${object.text} ${since ?? '-'} ${until ?? '-'} `,
        past === true ? 'ended' : 'holds',
      ].join(''),
    );

test.each([
  ['Jon Lund will step down as CEO of Acme Corp in June 2030.', 'Acme Corp ceo Jon Lund - 2030-06-30 holds'],
  ['Maria Silva is leaving Acme Corp in 2028.', 'Maria Silva works_for Acme Corp - 2028-12-31 holds'],
  [
    'Acme Corp will move its headquarters from Berlin to Porto in 2027.',
    'Acme Corp headquarters Berlin - 2027-12-31 holds',
  ],
  [
    'Acme Corp will move its headquarters from Berlin to Porto in 2027.',
    'Acme Corp headquarters Porto 2027-01-01 - holds',
  ],
  ['Maria Silva will succeed Jon Lund as CEO of Acme Corp in 2030.', 'Acme Corp ceo Jon Lund - 2030-12-31 holds'],
])('what is to come has ended nothing yet: %s', (text, expected) => {
  expect(facts(text)).toContain(expected);
});

test.each([
  ['it only may', 'Maria Silva might leave Acme Corp.'],
  ['it is wished', 'Maria Silva wants to leave Acme Corp.'],
  ['it is a condition', 'If Maria Silva leaves Acme Corp in 2028, the shares fall.'],
  ['it was refused', 'Jon Lund refused to resign as CEO of Acme Corp.'],
  ['it is denied', 'Acme Corp denied that Maria Silva resigned as chair of Acme Corp.'],
  ['it was thought of', 'Acme Corp considered moving its headquarters from Berlin to Porto.'],
  ['it has not happened', 'Acme Corp has not moved from Berlin.'],
  ['it never happened', 'Maria Silva never left Acme Corp.'],
  ['none of two happened', 'Maria Silva never resigned or left Acme Corp.'],
  ['it may come with another', 'Maria Silva may resign and leave Acme Corp in 2028.'],
  ['it is expected', 'Jon Lund expects that Maria Silva will leave Acme Corp in 2030.'],
  ['it is rumoured', 'Rumours that Jon Lund left Acme Corp in 2011 are untrue.'],
  ['reports say so', 'Reports that Jon Lund had resigned as president of Acme Corp were false.'],
  ['it is not true', 'It is not true that Maria Silva left Acme Corp in 2011.'],
  ['it is false', 'That Maria Silva left Acme Corp in 2011 is false.'],
  ['it is asked', 'Did Maria Silva leave Acme Corp in 2011?'],
])('what did not happen changes nothing: %s', (_why, text) => {
  expect(facts(text)).toEqual([]);
});

test('a change that somebody announced for later is to come', () => {
  expect(facts('Acme Corp said that Maria Silva will leave Acme Corp in 2030.')).toContain(
    'Maria Silva works_for Acme Corp - 2030-12-31 holds',
  );
});

test('a change that somebody announced has happened', () => {
  expect(facts('Acme Corp announced that Maria Silva resigned as chair of Acme Corp in 2011.')).toContain(
    'Acme Corp chair Maria Silva - 2011-12-31 ended',
  );
});

test.each([
  ['a place is left for a day', 'Maria Silva left Berlin at noon.'],
  ['what is left is given', 'Maria Silva left Acme Corp a fortune.'],
  ['what is sold is not who is named first', 'Acme Corp sold Beta Ltd a licence.'],
  ['what is sold has a number', 'Acme Corp sold Beta Ltd 500 pumps.'],
  ['what is sold follows a passive', 'Beta Ltd was sold a licence by Acme Corp.'],
])('who leaves or sells something ends nothing where %s', (_why, text) => {
  expect(facts(text)).toEqual([]);
});

test.each([
  [
    'Maria Silva joined Acme Corp in 2015 and left the company in 2019.',
    'Maria Silva member_of Acme Corp 2015-01-01 2019-12-31 ended',
  ],
  [
    'Maria Silva joined Acme Corp in 2015 and left in 2019.',
    'Maria Silva member_of Acme Corp 2015-01-01 2019-12-31 ended',
  ],
  [
    'Jon Lund was hired by Acme Corp in 2015 and left it in 2019.',
    'Jon Lund works_for Acme Corp 2015-01-01 2019-12-31 ended',
  ],
  [
    'Maria Silva joined Acme Corp in 2015 and left Beta Ltd in 2019.',
    'Maria Silva member_of Acme Corp 2015-01-01 - holds',
  ],
])('leaving ends what the sentence said to begin: %s', (text, expected) => {
  expect(facts(text)).toContain(expected);
});

test('who leaves the company that the sentence named leaves no other of the text', () => {
  const text = 'Beta Ltd makes pumps. Maria Silva joined Acme Corp in 2015 and left the company in 2019.';
  expect(facts(text).filter((fact) => fact.startsWith('Maria Silva'))).toEqual([
    'Maria Silva member_of Acme Corp 2015-01-01 2019-12-31 ended',
  ]);
});

test.each([
  ['a role taken', 'Maria Silva did not take over as CEO of Acme Corp.'],
  ['a role given', 'Jon Lund was never appointed CEO of Acme Corp.'],
  ['a day before which it was otherwise', 'Acme Corp was not based in Berlin until 2018.'],
])('a denial says no fact: %s', (_why, text) => {
  expect(facts(text)).toEqual([]);
});

test.each([
  ['Maria Silva no longer leads Acme Corp.', 'Acme Corp led_by Maria Silva - - ended'],
  ['Jon Lund is no longer the CEO of Acme Corp.', 'Acme Corp ceo Jon Lund - - ended'],
  ['Acme Corp is no longer based in Berlin.', 'Acme Corp headquarters Berlin - - ended'],
])('what is no longer so ended: %s', (text, expected) => {
  expect(facts(text)).toContain(expected);
});

test.each([
  ['wished', 'Maria Silva wants to lead Acme Corp until 2030.', 'led_by'],
  ['planned', 'Maria Silva plans to serve as CEO of Acme Corp until 2030.', 'ceo'],
  ['to come', 'Maria Silva will lead Acme Corp until 2030.', 'led_by'],
])('what is %s until a day has not ended', (_how, text, relation) => {
  for (const one of reader.read(text).relations.filter((found) => found.relation === relation))
    expect(one.validity.past).toBeUndefined();
});
