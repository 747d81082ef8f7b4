import { describe, expect, test } from '@jest/globals';
import { createReader, loadShippedModel } from '../src/index.ts';

const reader = createReader(loadShippedModel());
/** Of a processor: other work on the machine is none of the reader's. */
const SECONDS_MAX = 8;

/** Texts of 100 kB that no writer of English would write. */
const TEXTS: Record<string, string> = {
  'one word without a blank': 'a'.repeat(100_000),
  'capitals without a blank': 'A'.repeat(100_000),
  'ten thousand opening brackets': '('.repeat(10_000),
  'ten thousand pairs of brackets': '()'.repeat(10_000),
  'brackets in brackets': '(a'.repeat(5_000) + ')'.repeat(5_000),
  'full stops': '.'.repeat(100_000),
  initials: 'A.'.repeat(50_000),
  hyphens: 'co-'.repeat(30_000),
  apostrophes: "'s".repeat(50_000),
  commas: 'Anna Berg, '.repeat(9_000),
  'one list of names': 'Anna Berg and '.repeat(7_000),
  digits: '1999 '.repeat(20_000),
  'new lines': '\n'.repeat(100_000),
  quotes: '"x" '.repeat(25_000),
  emoji: '👩‍👩‍👧‍👦 '.repeat(8_000),
  'halves of surrogate pairs': '\ud83d \ude00'.repeat(20_000),
  Arabic: 'ولدت آنا في أوسلو عام ١٩٥٥. '.repeat(3_000),
  Chinese: '安娜于一九五五年出生在奥斯陆。'.repeat(6_000),
  'Hebrew with marks': 'שָׁלוֹם '.repeat(12_000),
  controls: '\u0000\u202e\u200b'.repeat(30_000),
  German: 'Die Firma wurde 1987 von Anna Berg in Köln gegründet. '.repeat(1_800),
};

describe('any text is read in the time its length allows', () => {
  test.each(Object.entries(TEXTS))('%s', (_name, text) => {
    const before = process.cpuUsage();
    const { sentences, names, relations, links } = reader.read(text, { links: true });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(SECONDS_MAX);
    for (const { start: from, end } of [...sentences, ...names, ...relations, ...links])
      expect(from >= 0 && from <= end && end <= text.length).toBe(true);
  });

  test.each(['', ' ', '\n', '.', '(', '’s', '\ud83d'])('%j', (text) => {
    expect(reader.read(text, { links: true }).relations).toEqual([]);
  });
});
