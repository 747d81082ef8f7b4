import { afterAll, describe, expect, it } from '@jest/globals';
import { type PatternReport, patternReport } from './patterns.ts';
import { createTestRepository, removeTestRepositories } from './tests/test-repository.ts';

afterAll(removeTestRepositories);

async function reportOn(files: Record<string, string>): Promise<PatternReport> {
  return patternReport(createTestRepository(files));
}

/** What is found in one module of the product. */
async function violations(source: string): Promise<string[]> {
  const { violations: found } = await reportOn({ 'apps/keys/src/planted.ts': source });
  return found.map(({ file, line, message }) => `${file}:${line}: ${message}`);
}

describe('the pattern check', () => {
  it('passes a module whose patterns are linear, and names them as proved', async () => {
    const { violations: found, proved } = await reportOn({
      'apps/keys/src/planted.ts': 'export const ID = /^[a-z]{1,8}_[0-9]+$/;\n',
    });
    expect(found).toEqual([]);
    expect([...proved]).toEqual([['/^[a-z]{1,8}_[0-9]+$/', 'automaton']]);
  });

  it.each([
    ['an exponential literal', '\nexport const A = /^(?:a|a)*$/;', /:2: exponential/],
    ['a quadratic literal', 'export const A = /\\s+$/;', /:1: 2nd degree polynomial in repeated "\\t": \/\\s\+\$\/$/],
    ['a construction', "export const A = new RegExp('\\\\s+$', 'u');", /:1: 2nd degree polynomial/],
    ['a construction without new', "export const A = RegExp('^(?:a|a)*$');", /:1: exponential/],
    ['a construction by way of globalThis', "export const A = new globalThis.RegExp('^(?:a|a)*$');", /:1: exponential/],
    ['a template of constants', 'const X = `a|a`;\nexport const A = new RegExp(`^(?:${X})*$`);', /:2: exponential/],
    [
      'parts of another pattern',
      'const X = /a|a/;\nexport const A = new RegExp(`^(?:${X.source})*$`);',
      /:2: exponential/,
    ],
    [
      'a joined list',
      "const X = ['a', 'a'];\nexport const A = new RegExp(`^(?:${X.join('|')})*$`);",
      /:2: exponential/,
    ],
    [
      'one entry of a record',
      'const X = { a: "a|a", b: "b" };\nexport const f = (k) => new RegExp(`^${X[k]}*$`);',
      /:2: exponential/,
    ],
    ['a raw template', 'export const A = new RegExp(String.raw`\\s+$`);', /:1: 2nd degree polynomial/],
  ])('finds %s that backtracks', async (_, source, expected) => {
    const found = await violations(source);
    expect(found).toEqual([expect.stringMatching(expected)]);
  });

  it('follows constants into other modules', async () => {
    const { violations: found } = await reportOn({
      'apps/keys/src/words.ts': "export const WORDS = 'a|a';\n",
      'apps/keys/src/planted.ts':
        "import { WORDS as W } from './words.ts';\nexport const A = new RegExp(`^(?:${W})*$`);\n",
    });
    expect(found).toEqual([
      { file: 'apps/keys/src/planted.ts', line: 2, message: expect.stringMatching(/^exponential/) },
    ]);
  });

  it('follows constants into libraries, through what their index exports', async () => {
    const { violations: found } = await reportOn({
      'libs/language/src/words.ts': "export const WORDS = 'a|a';\n",
      'libs/language/src/index.ts': "export { WORDS } from './words.ts';\n",
      'apps/keys/src/planted.ts':
        "import { WORDS } from '@cairn/language';\nexport const A = new RegExp(`^(?:${WORDS})*$`);\n",
    });
    expect(found).toEqual([
      { file: 'apps/keys/src/planted.ts', line: 2, message: expect.stringMatching(/^exponential/) },
    ]);
  });

  it.each([
    ['a parameter', 'export const f = (word) => new RegExp(word);'],
    ['what is reassigned', "let word = 'a';\nword = 'b';\nexport const A = new RegExp(word);"],
    ['a parameter that hides a constant', "const word = 'a';\nexport const f = (word) => new RegExp(word);"],
    ['a call', 'export const A = new RegExp(read());'],
  ])('refuses a pattern made of %s', async (_, source) => {
    expect(await violations(source)).toEqual([expect.stringContaining('made of what is not constant')]);
  });

  it('reads specs and their harnesses as little as other languages', async () => {
    const { violations: found } = await reportOn({
      'apps/keys/src/planted.spec.ts': 'export const A = /\\s+$/;\n',
      'apps/keys/tests/harness.ts': 'export const A = /\\s+$/;\n',
      'e2e/tests/planted.ts': 'export const A = /\\s+$/;\n',
      'docs/planted.md': '/\\s+$/\n',
    });
    expect(found).toEqual([]);
  });

  it('does not judge a pattern again that is known to be linear', async () => {
    const root = createTestRepository({ 'apps/keys/src/planted.ts': 'export const A = /\\s+$/;\n' });
    const { violations: found } = await patternReport(root, new Map([['/\\s+$/', 'automaton']]));
    expect(found).toEqual([]);
  });
});

describe('an exception', () => {
  it('is a bound with a reason beside the pattern, and is listed', async () => {
    const { violations: found, exceptions } = await reportOn({
      'apps/keys/src/planted.ts': '// pattern-bound: 256 chars — names are cut before\nexport const A = /\\s+$/;\n',
    });
    expect(found).toEqual([]);
    expect(exceptions).toEqual([
      { file: 'apps/keys/src/planted.ts', line: 2, maxChars: 256, reason: 'names are cut before' },
    ]);
  });

  it.each([
    [
      'an exponential pattern within its bound',
      '// pattern-bound: 200 chars — short\nexport const A = /^(?:a|a)*$/;',
      /take too long$/,
    ],
    [
      'a bound that lets too much through',
      '// pattern-bound: 900000 chars — long\nexport const A = /\\s+$/;',
      /take too long$/,
    ],
    ['no reason', '// pattern-bound: 256 chars\nexport const A = /\\s+$/;', /^2nd degree polynomial/],
    ['another line', '// pattern-bound: 256 chars — far away\n\nexport const A = /\\s+$/;', /^2nd degree polynomial/],
    ['a linear pattern', '// pattern-bound: 256 chars — for nothing\nexport const A = /^a/;', /needs no bound$/],
  ])('does not hold for %s', async (_, source, expected) => {
    const { violations: found, exceptions } = await reportOn({ 'apps/keys/src/planted.ts': source });
    expect(found.map(({ message }) => message)).toEqual([expect.stringMatching(expected)]);
    expect(exceptions).toEqual([]);
  });
});
