import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createTestRepository, removeTestRepositories } from './tests/test-repository.ts';
import { wordViolations } from './words.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const GLOSSARY = `# Glossary

- **Engine**: a PostgreSQL server that holds memories; elsewhere a _shardlet_. In the code: \`Engines\`, \`ledgerbook\`.
- **Lease (work)**: the time for which a claimed row belongs to one process.
- **Tombstone**: the mark that hides a deleted chunk.
`;

afterAll(removeTestRepositories);

/** What is found in a repository with this glossary and these files. */
function violations(files: Record<string, string>): string[] {
  return wordViolations(createTestRepository({ 'docs/glossary.md': GLOSSARY, ...files })).map(
    ({ file, line, message }) => `${file}:${line}: ${message}`,
  );
}

const unknown = (word: string, name: string, say: string) =>
  `“${word}” in ${name} is no word of docs/glossary.md or tools/checks/words; ${say}`;

describe('the words check', () => {
  it('lets names pass that are made of terms of the glossary and of words that every engineer knows', () => {
    const source = `export interface EngineLease { id: string }
export const TOMBSTONES_MAX = 3;
export function readLedgerbook(): void {}
export class OAuthError extends Error {}
export type { Fooling } from './fooling.ts';
`;
    expect(violations({ 'apps/keys/src/engine-lease.ts': source })).toEqual([]);
  });

  it('accepts regular inflections of known words', () => {
    const source = `export const leases = [];
export const leased = 1;
export const leasing = 1;
export const stoppedEngines = [];
export const copiedEntries = [];
export const latestReadings = [];
`;
    expect(violations({ 'libs/events/src/engines.ts': source })).toEqual([]);
  });

  it('does not take a noun in -er for an inflection', () => {
    expect(violations({ 'tools/lab/run.ts': 'export class Tombstoner {}\n' })).toEqual([
      `tools/lab/run.ts:1: ${unknown('tombstoner', 'Tombstoner', 'say: tombstone')}`,
    ]);
  });

  it('finds an unknown word in every kind of exported name, with its line', () => {
    const source = `
export function toldOf(): void {}
export const WISHES = 1, { glumph } = { glumph: 2 };
export type SaidWrongly = string;
const inner = 1;
export { inner as seating };
function untoldInside(): void {}
`;
    expect(violations({ 'e2e/tests/kinds.spec.ts': source })).toEqual([
      `e2e/tests/kinds.spec.ts:2: ${unknown('told', 'toldOf', 'say: public')}`,
      `e2e/tests/kinds.spec.ts:3: ${unknown('wishes', 'WISHES', 'say: request')}`,
      `e2e/tests/kinds.spec.ts:3: ${unknown('glumph', 'glumph', 'use a term of docs/glossary.md')}`,
      `e2e/tests/kinds.spec.ts:4: ${unknown('said', 'SaidWrongly', 'use a term of docs/glossary.md')}`,
      `e2e/tests/kinds.spec.ts:6: ${unknown('seating', 'seating', 'say: slot')}`,
    ]);
  });

  it('finds an unknown word in the name of a file', () => {
    expect(violations({ 'sdk/src/likeness.ts': '' })).toEqual([
      `sdk/src/likeness.ts:1: ${unknown('likeness', 'likeness', 'say: similarity')}`,
    ]);
  });

  it.each([
    ['what others call a term', 'shardlets', 'say: engine'],
    ['a term that is written nearly so', 'tombstome', 'say: tombstone'],
    ['a word that begins alike', 'tombola', 'say: tombstone'],
  ])('suggests the term for %s', (_, word, say) => {
    expect(violations({ 'apps/keys/src/keys.ts': `export const ${word} = 1;` })).toEqual([
      `apps/keys/src/keys.ts:1: ${unknown(word, word, say)}`,
    ]);
  });

  it('has a type named by a noun, not by what was done', () => {
    const source = `export interface Measured { ms: number }
export type LeaseTaken = string;
export type OnEngineStarted = () => void;
export interface Feed { url: string }
export const measured = 1;
`;
    const message = (name: string, word: string) =>
      `${name} ends in “${word}”; a type is named by a noun, such as a result or an outcome`;
    expect(violations({ 'apps/keys/src/keys.ts': source })).toEqual([
      `apps/keys/src/keys.ts:1: ${message('Measured', 'measured')}`,
      `apps/keys/src/keys.ts:2: ${message('LeaseTaken', 'taken')}`,
    ]);
  });

  it('does not read what is generated, what is beside the sources, nor the contract', () => {
    const source = 'export const glumph = 1;\n';
    const files = ['libs/contracts/src/gen/a_pb.ts', 'apps/keys/tests/glumph.ts', 'e2e/contract/glumph.ts'];
    expect(violations(Object.fromEntries(files.map((file) => [file, source])))).toEqual([]);
  });

  it('reads all sources in a few seconds of processor time', () => {
    const before = process.cpuUsage();
    wordViolations(ROOT);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(20);
  });
});

describe('the lists of words', () => {
  const read = (file: string) =>
    readFileSync(join(ROOT, 'tools/checks/words', file), 'utf8')
      .trim()
      .split('\n');
  const lists = ['programming.txt', 'platform.txt', 'language.txt', 'participles.txt'].map(read);

  it('are sorted, and have each word once', () => {
    for (const list of [...lists, read('synonyms.txt')]) expect(list).toEqual(list.toSorted());
    const words = lists.flat();
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  });

  it('name no word as a synonym of another that is accepted itself', () => {
    const words = new Set(lists.flat());
    const synonyms = read('synonyms.txt').flatMap((line) => line.split(': ')[1]!.split(' '));
    expect(synonyms.filter((synonym) => words.has(synonym))).toEqual([]);
  });
});
