import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createTestRepository, removeTestRepositories } from './tests/test-repository.ts';

afterAll(removeTestRepositories);

const ROOT = join(import.meta.dirname, '..', '..');
const OXLINT = join(ROOT, 'node_modules', '.bin', 'oxlint');
const RULES = readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8');

/** The rules that one file breaks, when the house's own configuration judges it. */
function broken(path: string, text: string): string[] {
  const root = createTestRepository({ '.oxlintrc.json': RULES, [path]: text });
  const { stdout } = spawnSync(OXLINT, ['--deny-warnings', '--format=json'], { cwd: root, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
  return [...new Set(diagnostics.map(({ code }) => code))].toSorted();
}

const READS_ENV = "export const port = process.env['PORT'];\n";
const LONG_FUNCTION = `export function long(): void {\n${'  void 0;\n'.repeat(70)}}\n`;
const IMPORTS = "import { describe, expect, it } from '@jest/globals';\n";

describe('the lint rules', () => {
  it.each(['process.env', "process['env']", '({ env } = process)'])('let no service read %s', (expression) => {
    const text = expression.startsWith('(')
      ? 'export const { env } = process;\n'
      : `export const all = ${expression};\n`;
    expect(broken('apps/keys/src/service.ts', text)).toEqual(['eslint(no-restricted-properties)']);
    expect(broken('libs/events/src/relay.ts', text)).toEqual(['eslint(no-restricted-properties)']);
  });

  it('let nobody import the environment instead', () => {
    const text = "export { env } from 'node:process';\n";
    expect(broken('apps/keys/src/service.ts', text)).toEqual(['eslint(no-restricted-imports)']);
  });

  it.each([
    'apps/keys/src/main.ts',
    'apps/keys/src/keys.spec.ts',
    'apps/keys/tests/keys.ts',
    'e2e/keys.ts',
    'libs/testing/src/engines/test-engines.ts',
    'tools/checks/main.ts',
  ])('let %s read the environment', (path) => {
    expect(broken(path, READS_ENV)).toEqual([]);
  });

  it('bound a function to 70 lines, except in specs, where one describes many', () => {
    expect(broken('apps/keys/src/long.ts', LONG_FUNCTION)).toEqual(['eslint(max-lines-per-function)']);
    expect(broken('tools/long.ts', LONG_FUNCTION)).toEqual(['eslint(max-lines-per-function)']);
    expect(broken('apps/keys/src/long.spec.ts', LONG_FUNCTION)).toEqual([]);
  });

  it('bound a file to 400 lines', () => {
    const text =
      'export const a = 1;\n'.replace('a', 'a0') + Array.from({ length: 400 }, (_, i) => `void ${i};\n`).join('');
    expect(broken('apps/keys/src/long.ts', text)).toContain('eslint(max-lines)');
    expect(broken('apps/keys/src/long.spec.ts', text)).toContain('eslint(max-lines)');
  });

  it.each([
    ['it.only', 'jest(no-focused-tests)'],
    ['fit', 'jest(no-focused-tests)'],
    ['it.skip', 'jest(no-disabled-tests)'],
    ['xit', 'jest(no-disabled-tests)'],
  ])('refuse %s', (call, rule) => {
    expect(broken('libs/a/src/a.spec.ts', `${IMPORTS}${call}('works', () => expect(1).toBe(1));\n`)).toContain(rule);
  });

  it.each([
    ['fdescribe', 'jest(no-focused-tests)'],
    ['describe.only', 'jest(no-focused-tests)'],
    ['xdescribe', 'jest(no-disabled-tests)'],
    ['describe.skip', 'jest(no-disabled-tests)'],
  ])('refuse %s', (call, rule) => {
    const text = `${IMPORTS}${call}('a', () => {\n  it('works', () => expect(1).toBe(1));\n});\n`;
    expect(broken('libs/a/src/a.spec.ts', text)).toContain(rule);
  });
});
