import { describe, expect, test } from '@jest/globals';
import { createReader, loadShippedModel } from '../src/index.ts';

const reader = createReader(loadShippedModel());
const triples = (text: string) =>
  reader.read(text).relations.map(({ subject, relation, object }) => `${subject.text} ${relation} ${object.text}`);

describe('relations', () => {
  test.each([
    ['Orvik Instruments was founded in 1987 by Helga Orvik.', 'Orvik Instruments founded_date 1987'],
    ['Orvik Instruments was founded in 1987 by Helga Orvik.', 'Orvik Instruments founded_by Helga Orvik'],
    ['Ola Nordmann, CEO of Orvik Instruments, spoke first.', 'Orvik Instruments ceo Ola Nordmann'],
    ['The CEO of Orvik Instruments is Ola Nordmann.', 'Orvik Instruments ceo Ola Nordmann'],
    ['Anna Berg (born 11 May 1955 in Bergen) is a Norwegian painter.', 'Anna Berg birth_date 11 May 1955'],
    ['Anna Berg (born 11 May 1955 in Bergen) is a Norwegian painter.', 'Anna Berg born_in Bergen'],
    ['Anna Berg (born 11 May 1955 in Bergen) is a Norwegian painter.', 'Anna Berg nationality Norwegian'],
    ['Anna Berg (1932–2001) was a painter.', 'Anna Berg death_date 2001'],
    ['Born in Bergen, Anna Berg moved abroad early.', 'Anna Berg born_in Bergen'],
    ['Anna Berg, who died on 4 June 1999, left two sons.', 'Anna Berg death_date 4 June 1999'],
    ['Anna Berg married John Lund in 1980.', 'Anna Berg spouse John Lund'],
    ['Anna Berg is the daughter of John Lund.', 'Anna Berg child_of John Lund'],
    ['Anna Berg graduated from the University of Oslo.', 'Anna Berg educated_at University of Oslo'],
    ['Orvik Instruments, based in Bergen, employs 200 people.', 'Orvik Instruments headquarters Bergen'],
    ['The headquarters of Orvik Instruments is in Bergen.', 'Orvik Instruments headquarters Bergen'],
    ['Acme Corporation acquired Widget Ltd in 2004 for $75 million.', 'Widget Ltd owned_by Acme Corporation'],
    ['Acme Corporation acquired Widget Ltd in 2004 for $75 million.', 'Acme Corporation acquired Widget Ltd'],
    ['Widget Ltd is a subsidiary of Acme Corporation.', 'Widget Ltd subsidiary_of Acme Corporation'],
    ['Acme Corporation is the parent company of Widget Ltd.', 'Widget Ltd subsidiary_of Acme Corporation'],
    [
      'Widget Ltd is currently a wholly owned subsidiary of Acme Corporation.',
      'Widget Ltd subsidiary_of Acme Corporation',
    ],
    ['Anna Berg is married to John Lund.', 'Anna Berg spouse John Lund'],
    ['Founded in 1991, Orvik Instruments has offices in three countries.', 'Orvik Instruments founded_date 1991'],
    ['Anna Berg was born May 28, 1997 in Bergen, Norway.', 'Anna Berg born_in Bergen'],
    ['Since the founding of Orvik Instruments in 1987 it has grown.', 'Orvik Instruments founded_date 1987'],
    ['Anna Berg was survived by her children Elsa Downey and David Ford.', 'David Ford child_of Anna Berg'],
    ['Anna Berg married Jan Lund in 1980 and they had a daughter, Elsa Lund.', 'Elsa Lund child_of Anna Berg'],
    ['Anna Berg married Jan Lund in 1980 and they had a daughter, Elsa Lund.', 'Elsa Lund child_of Jan Lund'],
    ['Anna Berg is married to Jan Lund. They have two sons, Ole Lund and Per Lund.', 'Per Lund child_of Anna Berg'],
    ['Anna Berg lives in Oslo, Norway.', 'Anna Berg lives_in Oslo'],
    ['Anna Berg works for Acme Corporation as an engineer.', 'Anna Berg works_for Acme Corporation'],
  ])('%s', (text, expected) => {
    expect(triples(text)).toContain(expected);
  });

  test.each([
    [
      'years of an office are no life',
      'He served as Minister for Harbours (1890–1892) under Ola Nordmann.',
      'death_date',
    ],
    ['a form of address is no role', 'The song was written by Dr. Anna Berg.', 'has_role'],
    ['what a film is directed by does not lead it', 'Northern Rain is a film directed by Anna Berg.', 'led_by'],
  ])('%s', (_why, text, relation) => {
    expect(reader.read(text).relations.map((one) => one.relation)).not.toContain(relation);
  });

  test('a phrase begins after its copula', () => {
    const said = triples('Moreover, Bergen is an equally rainy city in the winter.');
    expect(said.filter((one) => one.includes('Moreover'))).toEqual([]);
  });

  test('letters after a name are no name of their own', () => {
    expect(triples('Anna Berg, OC (born 11 May 1955) is a painter.')).toContain('Anna Berg birth_date 11 May 1955');
  });

  test('an acquisition has its date and its price', () => {
    const { relations } = reader.read('Acme Corporation acquired Widget Ltd in 2004 for $75 million.');
    const acquired = relations.find(({ relation }) => relation === 'acquired')!;
    expect(acquired.amount?.text).toBe('$75 million');
    expect(acquired.validity.since).toBe('2004-01-01');
  });

  test('a relation says where it stands', () => {
    const text = 'It rained. Anna Berg was born in Bergen.';
    const born = reader.read(text).relations.find(({ relation }) => relation === 'born_in')!;
    expect(born.quote).toBe('Anna Berg was born in Bergen.');
    expect(text.slice(born.start, born.end)).toBe(born.quote);
    expect(text.slice(born.object.start, born.object.end)).toBe('Bergen');
  });

  test('what is denied is marked, and what is over', () => {
    const [denied] = reader.read('Anna Berg was not born in Bergen.').relations;
    expect(denied?.negated).toBe(true);
    const former = reader.read('Ola Nordmann is a former CEO of Orvik Instruments.').relations;
    expect(former.find(({ relation }) => relation === 'ceo')?.validity.past).toBe(true);
  });

  test.each([
    ['The headquarters of Orvik Instruments is in Bergen.', 'Bergen is_a headquarters of Orvik Instruments'],
    ['Orvik Instruments is based in Bergen, with offices in Paris.', 'Orvik Instruments headquarters Paris'],
    ['Anna Berg moved the factory to Paris.', 'Anna Berg lives_in Paris'],
    ['Bergen was founded in 1070.', 'Bergen birth_date 1070'],
  ])('%s does not say: %s', (text, wrong) => {
    expect(triples(text)).not.toContain(wrong);
  });

  test('a pronoun stands for who was named before', () => {
    const { relations } = reader.read('Anna Berg is a painter. She was born in Bergen.');
    const born = relations.find(({ relation }) => relation === 'born_in')!;
    expect(born.subject.text).toBe('Anna Berg');
    expect(born.resolved).toBe(true);
  });

  test('the same text is read in the same way each time', () => {
    const text = 'Anna Berg (born 11 May 1955 in Bergen) is a Norwegian painter.';
    expect(reader.read(text, { links: true })).toEqual(reader.read(text, { links: true }));
  });
});

describe('links', () => {
  test('a clause says something in its own words', () => {
    const [link] = reader.read('The committee rejected the new plan.', { links: true }).links;
    expect(link?.subject.text).toBe('The committee');
    expect(link?.predicate).toBe('rejected');
    expect(link?.objects.map(({ text }) => text)).toEqual(['the new plan']);
  });
});
