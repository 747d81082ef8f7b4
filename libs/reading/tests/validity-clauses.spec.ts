import { expect, test } from '@jest/globals';
import { createReader, loadShippedModel } from '../src/index.ts';

const reader = createReader(loadShippedModel());
const validityOf = (text: string, relation: string) =>
  reader.read(text).relations.find((one) => one.relation === relation && !one.open)?.validity;

test.each([
  ['that the main one ends', 'Maria Silva, who works for Acme Corp, was at Beta Ltd until 2009.', 'works_for'],
  ['that stands around it', 'From 2020 to 2022 revenue of Acme Corp, which is led by Maria Silva, doubled.', 'led_by'],
  ['behind a semicolon', 'Acme Corp is based in Oslo; until 2018 it was in Bergen.', 'headquarters'],
  ['dated behind a semicolon', 'Acme Corp is based in Oslo; in 2018 it was in Bergen.', 'headquarters'],
  ['behind "and"', 'Jon Lund lives in Oslo and led Beta Ltd until 2009.', 'lives_in'],
])('a fact has no time of another clause: %s', (_which, text, relation) => {
  expect(validityOf(text, relation)).toEqual({});
});

test.each([
  [
    'Jon Lund has been with Acme Corp since 2010 and led Beta Ltd until 2009.',
    'led_by',
    { until: '2009-12-31', past: true },
  ],
  [
    'Maria Silva has worked with Acme Corp since 2010 and led Beta Ltd until 2009.',
    'works_for',
    { since: '2010-01-01' },
  ],
  ['Maria Silva, CEO of Acme Corp since 2019, said revenue rose from 2020 to 2022.', 'ceo', { since: '2019-01-01' }],
  ['In 2019 the firm Acme Corp, which makes pumps, moved to Oslo.', 'headquarters', { since: '2019-01-01' }],
])('a fact has the time of its own clause: %s', (text, relation, expected) => {
  expect(validityOf(text, relation)).toEqual(expected);
});

test('a degree is from the school beside it, not from what is listed after it', () => {
  const schools = reader
    .read('Maria Silva holds a degree from MIT (1990-1994) and is CEO of Acme Corp.')
    .relations.filter(({ relation }) => relation === 'educated_at')
    .map(({ object }) => object.text);
  expect(schools).toEqual(['MIT']);
});

test('what would end before it begins has no time', () => {
  expect(validityOf('Maria Silva led Acme Corp from 2010 to 2009.', 'led_by')).toEqual({ past: true });
});
