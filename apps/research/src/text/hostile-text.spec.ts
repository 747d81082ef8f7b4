import { describe, expect, it } from '@jest/globals';
import { sourceScopeOf } from '../request/source-phrases.ts';
import { readRobots } from '../reading/robots.ts';
import { readListRequest } from '../entities/criteria.ts';
import { readProfiles } from '../entities/read-profiles.ts';
import { structuredProfiles } from '../entities/structured-profiles.ts';
import { noteFindings } from '../analysis/note-findings.ts';
import { createRequestReader } from '../request/parse-request.ts';
import { readingModel } from './reading-model.ts';
import { addressesIn } from '../analysis/web-options.ts';
import { plainText, statementsOf } from '@cairn/language';

const requests = createRequestReader(readingModel());
const ASKED = requests.understand('Which skills, languages and verbs are there?');
const CHARS = 100_000;
const tabs = '\t'.repeat(CHARS);

function repeated(text: string): string {
  return text.repeat(Math.ceil(CHARS / text.length));
}

/** Texts of at least 100 kB on which ambiguous patterns backtrack for minutes. */
const ATTACKS: readonly (readonly [name: string, text: string])[] = [
  ['skills joined by and, and a comma without a blank', `people with experience in a${repeated(' and a')},b`],
  ['forty skills joined by and, and a comma without a blank', `people with experience in a${' and a'.repeat(40)},b`],
  ['known skills and a comma without a blank', `people who know a${repeated(' and a')},b`],
  ['skills that begin again and again', `people${repeated(' with skills in')},b`],
  ['a rule of tabs', `${tabs}-${tabs}*${tabs}x`],
  ['a heading of tabs', `# ${tabs}x${tabs}#${tabs}x`],
  ['brackets that nothing closes', repeated('[')],
  ['links that nothing closes', repeated('[a](')],
  ['labels without an end', repeated('a: b; ')],
  ['capitalised words', repeated('Aa Bb ')],
  ['capitals joined by full stops', repeated('A.')],
  ['verbs of work', `Ada Lovelace ${repeated('works at as ')}`],
  ['studies without a place', repeated('studied ')],
  ['languages that nobody names', `speaks ${repeated('native ')}`],
  ['hosts without an end', repeated('a-')],
  ['white space', tabs],
  ['digits and commas', repeated('0,')],
];

describe('a text made to be slow is read in time proportional to its length', () => {
  it.each(ATTACKS)('as a prompt: %s', (_, text) => {
    for (const kind of ['person', 'organisation'] as const)
      expect(readListRequest(text, kind).criteria.length).toBeLessThan(1_000);
    expect(requests.understand(text).questions.length).toBeLessThan(20);
    expect(addressesIn(text)).toEqual([]);
    expect(sourceScopeOf(text)).toBe('any');
  });

  it.each(ATTACKS)('as a source: %s', (_, text) => {
    const source = { source_id: 'src_1', uri: null, title: text, body: text };
    expect(statementsOf(text)).toBeInstanceOf(Array);
    expect(plainText(text)).not.toContain('\t');
    for (const profiles of [readProfiles, structuredProfiles]) expect(profiles(source)).toBeInstanceOf(Array);
    expect(noteFindings(ASKED, [source]).findings).toBeInstanceOf(Array);
  });
});

describe('a robots.txt made to be slow is read in time proportional to its length', () => {
  it.each([
    ['tabs after a directive', `User-agent: *\nallow${tabs}x\u2028y`, true],
    ['tabs before a directive', `User-agent: *\n${tabs}disallow: /`, false],
    ['signs of comments', `User-agent: *\n${repeated('#')}\ndisallow: /`, false],
    ['names of robots and rules', `${'user-agent: *\n'.repeat(18_000)}${'allow: /a\n'.repeat(25_000)}`, true],
    ['other names of robots and rules', `${'user-agent: x\n'.repeat(18_000)}${'disallow: /\n'.repeat(25_000)}`, true],
  ])('%s', (_, body, allowed) => {
    const robots = readRobots({ rule: 'file', body }, 'https://example.org');
    expect(robots.allows('https://example.org/b')).toBe(allowed);
  });
});
