import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { DECISION_ROWS } from './decision-rows.ts';
import { INTERFACE_ROWS } from './interface-rows.ts';
import { PROVED_ELSEWHERE } from './proved-elsewhere.ts';
import { FIELDS } from './resource-fields.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const ALL = [
  ...Object.keys(INTERFACE_ROWS),
  ...Object.keys(DECISION_ROWS),
  ...Object.keys(FIELDS).map((of) => `${of}.*`),
];

/** The ids that the cases of this folder name, as their sources say it. */
function rowsOfCases(): string[] {
  const files = readdirSync(import.meta.dirname).filter(
    (name) => name.endsWith('.spec.ts') && name !== 'coverage.spec.ts',
  );
  return files.flatMap((name) => {
    const source = readFileSync(join(import.meta.dirname, name), 'utf8');
    return source
      .split('proves(')
      .slice(1)
      .flatMap((after) => {
        const list = after.slice(after.indexOf('[') + 1, after.indexOf(']'));
        return list.split(',').map((id) => id.trim().replace(/^['"]|['"]$/g, ''));
      })
      .filter((id) => id !== '');
  });
}

it('every row of the contract has a case, here or in the spec that is named', () => {
  const proved = new Set([...rowsOfCases(), ...Object.keys(PROVED_ELSEWHERE)]);
  expect(ALL.filter((id) => !proved.has(id))).toEqual([]);
});

it('every case names rows that the contract has', () => {
  expect(rowsOfCases().filter((id) => !ALL.includes(id))).toEqual([]);
});

it.each(Object.entries(PROVED_ELSEWHERE))('the spec that proves %s is there', (_id, { file, spec }) => {
  expect(readFileSync(join(ROOT, file), 'utf8')).toContain(spec);
});
