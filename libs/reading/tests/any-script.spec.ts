import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createReader, loadShippedModel, type Reading } from '../src/index.ts';

const model = loadShippedModel();
const reader = createReader(model);

/** Pieces of many languages and of what spoils texts, put together at random. */
const PIECES = [
  'Anna Berg was born on 11 May 1955 in Oslo, Norway. ',
  'Orvik Instruments, founded in 1987, is based in Bergen; ',
  'Die Firma wurde 1987 von Anna Berg in Köln gegründet. ',
  'La empresa fue fundada en 1987 por Ana Montaña. ',
  'L’entreprise a été fondée à Lyon en 1987. ',
  'Компания основана в 1987 году. ',
  'ولدت آنا في أوسلو عام ١٩٥٥. ',
  'שָׁלוֹם עולם ',
  '安娜于一九五五年出生在奥斯陆。',
  'アンナは東京で生まれた。',
  'अन्ना का जन्म १९५५ में हुआ। ',
  '👩‍👩‍👧‍👦',
  '\u202e\u200f\u200b\u0301\u0301',
  '\ud83d',
  '\udc00',
  '((([',
  ')]}',
  '"“„«',
  '| a | b |\n|---|---|\n',
  '\n\n',
  '\t',
  '…—–--',
  "'s n't ",
  'https://example.org/?a=b&c=d ',
];
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join('')),
);

function places({ sentences, names, relations, links }: Reading): { start: number; end: number }[] {
  const values = relations.flatMap(({ subject, object, amount }) => [subject, object, ...(amount ? [amount] : [])]);
  return [...sentences, ...names, ...relations, ...links, ...values];
}

test('any text is read, all places lie in it, and its names and quotes are its own words', () => {
  fc.assert(
    fc.property(text, (input) => {
      const reading = reader.read(input, { links: true });
      for (const { start, end } of places(reading))
        expect(start >= 0 && start <= end && end <= input.length).toBe(true);
      for (const name of reading.names) expect(name.text).toBe(input.slice(name.start, name.end));
      for (const { quote, start, end } of reading.relations) expect(quote).toBe(input.slice(start, end));
      for (const [i, { start }] of reading.sentences.entries())
        expect(start).toBeGreaterThanOrEqual(reading.sentences[i - 1]?.end ?? 0);
    }),
    { numRuns: 300 },
  );
});

test('what a text is read as does not depend on what was read before', () => {
  fc.assert(
    fc.property(text, (input) => {
      expect(createReader(model).read(input)).toEqual(reader.read(input));
    }),
    { numRuns: 20 },
  );
});

/** Processor time, which other loads on the machine change less than the clock's. */
function secondsFor(input: string): number {
  const before = process.cpuUsage();
  reader.read(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

test('the time is linear in the length of a single line', () => {
  const line = 'Anna Berg, who was born in Oslo (Norway), founded Orvik Instruments in 1987 and her sons Ola and Per ';
  secondsFor(line.repeat(200));
  const short = secondsFor(line.repeat(300));
  const long = secondsFor(line.repeat(1200));
  // Four times the text: 4 when linear, 16 when quadratic.
  expect(long / short).toBeLessThan(9);
});
