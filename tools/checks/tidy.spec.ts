import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { STREAM_EVENTS, WEBHOOK_EVENTS } from '@cairn/contracts';
import { createTestRepository, removeTestRepositories } from './tests/test-repository.ts';
import { tidyViolations } from './tidy.ts';
import { renderConfigDocs } from '../release/write-config-docs.ts';
import { EVENT_DOCS, withEventTables } from '../release/write-event-docs.ts';

afterAll(removeTestRepositories);

const CONFIG = `const variable = (name: string, schema: object, effect: string) => ({ name, schema, effect });
const port = { def: { type: 'default', defaultValue: 8080 }, safeParse: () => ({ success: true }) };
const url = { def: { type: 'string' }, safeParse: () => ({ success: false }) };
export const variables = {
  port: variable('CAIRN_PORT', port, 'Where it listens.'),
  database: variable('DATABASE_URL', url, 'Where the rows are.'),
};
`;

const CLEAN = {
  '.gitignore': 'ignored/\n',
  'ignored/Utils.ts': "export * from './x.ts';\n",
  'README.md':
    '# Cairn\n\n[design](docs/why-so.md#why-two-words) [here](#cairn) [folder](docs/) [out](https://example.com/x.md)\n\n```md\n[code](nowhere.md)\n```\n\n`[code](nowhere.md)`\n',
  'docs/why-so.md':
    '## Why, two _words_?\n\n[back](../README.md "title")\n\n## Why two words\n\n[second](#why-two-words-1)\n',
  'apps/keys/src/migrations/0001_keys.sql': '-- Keys.\nCREATE TABLE keys ();\n',
  'apps/keys/src/migrations/0002_more_keys.sql': 'SELECT 1;\n',
  'libs/postgres/migrations/0000_foundation.sql': 'SELECT 1;\n',
  'apps/keys/src/api-keys/create-api-key.ts':
    '/** A method (or https://host/some/item) of its own. */\nexport const a = 1 - -1;\n',
  'libs/contracts/src/gen/a_pb.ts': "export * from './x.ts';\n",
  'package-lock.json': '{ "packages": { "node_modules/@cairn/keys": { "resolved": "apps/keys", "link": true } } }\n',
};

/** What is found when these files are added to the clean repository. */
async function violations(files: Record<string, string>): Promise<string[]> {
  const found = await tidyViolations(createTestRepository({ ...CLEAN, ...files }), { handlers: null, phrases: null });
  return found.map(({ file, line, message }) => `${file}:${line}: ${message}`);
}

// Not written out, because this file is read, too.
const TO_DO = ['TO', 'DO'].join('');
const FIX_ME = ['FIX', 'ME'].join('');

describe('tidy', () => {
  it('lets a clean repository pass, and does not look at what git ignores', async () => {
    expect(await violations({})).toEqual([]);
  });

  it('lets a migration contract that says why nothing uses it any more', async () => {
    const sql =
      '-- contract: nothing has read it since 0002_more_keys.\nALTER TABLE keys ADD COLUMN n int NOT NULL DEFAULT 0;\nALTER TABLE keys DROP COLUMN name;\n';
    expect(await violations({ 'apps/keys/src/migrations/0003_contract.sql': sql })).toEqual([]);
  });

  it.each([
    [
      'an export of everything',
      'libs/a/src/a.ts',
      "\nexport * from './b.ts';",
      ":2: name what is exported instead of 'export *'",
    ],
    ['a marker', 'libs/a/src/a.ts', `// ${TO_DO}: later`, ':1: a marker for work left to do; do it, or write an issue'],
    ...(
      [
        ['drops a column', 'ALTER TABLE keys DROP COLUMN name;'],
        ['drops a table', 'DROP TABLE keys;'],
        ['renames something', 'ALTER TABLE keys RENAME COLUMN name TO title;'],
        ['changes the type of a column', 'ALTER TABLE keys ALTER COLUMN n TYPE bigint;'],
        ['adds a required column without a default', 'ALTER TABLE keys ADD COLUMN n int NOT NULL;'],
        ['requires a value that the previous release may not write', 'ALTER TABLE keys ALTER n SET NOT NULL;'],
      ] as const
    ).map(([what, sql]): [string, string, string, string] => [
      `a migration that ${what}`,
      'apps/keys/src/migrations/0003_contract.sql',
      `-- Not a reason.\n${sql}\n`,
      `:2: ${what}, while the previous release still serves: expand now and contract in a later release (CONTRIBUTING.md, Add a migration)`,
    ]),
    [
      'a marker in SQL',
      'libs/a/src/a.sql',
      `-- ${FIX_ME}`,
      ':1: a marker for work left to do; do it, or write an issue',
    ],
    [
      'a banner',
      'libs/a/src/a.ts',
      '// --- Types ---',
      ':1: a banner comment; a file that needs chapters is two files',
    ],
    [
      'a table looked up by foreign words',
      'libs/a/src/a.ts',
      'const KINDS: Readonly<Record<string, string>> = { a: "b" };\nexport const kind = (word: string) => KINDS[word];',
      ':1: KINDS is looked up by strings; make it a Map, because objects inherit "constructor"',
    ],
    [
      'a banner block',
      'libs/a/src/a.ts',
      '/*\n * =====\n */',
      ':2: a banner comment; a file that needs chapters is two files',
    ],
    ['a banner in SQL', 'libs/a/src/a.sql', '------', ':1: a banner comment; a file that needs chapters is two files'],
    ['a banner in YAML', '.ci/a.yaml', '#########', ':1: a banner comment'],
    [
      'a path of one machine',
      'docs/a.md',
      `See \`${['', 'home', 'ann', 'cairn'].join('/')}\`.`,
      ':1: a path that exists on one machine only',
    ],
    ['a long file', 'libs/a/src/a.sql', 'SELECT 1;\n'.repeat(401), ':401: 401 lines; at most 400'],
    ['a name in capitals', 'libs/a/src/createKey.ts', '', ':1: the name is not kebab-case'],
    ['a folder in capitals', 'libs/a/src/Keys/a.ts', '', ':1: the name is not kebab-case'],
    ['a name without meaning', 'libs/a/src/utils.ts', '', ':1: the name does not say what is inside'],
    [
      'a name that ends without meaning',
      'libs/a/src/key-helpers.spec.ts',
      '',
      ':1: the name does not say what is inside',
    ],
    ['a folder without meaning', 'libs/common/src/a.ts', '', ':1: the name does not say what is inside'],
    ['a dead link', 'docs/a.md', '\n[x](../gone.md)', ':2: dead link: ../gone.md'],
    ['a dead image', 'docs/a.md', '<img src="gone.svg">', ':1: dead link: gone.svg'],
    ['a dead reference', 'docs/a.md', '[x]\n\n[x]: gone.md', ':3: dead link: gone.md'],
    ['a dead anchor', 'docs/a.md', '[x](../README.md#gone)', ':1: dead anchor: ../README.md#gone'],
    ['a dead anchor on the page', 'docs/a.md', '[x](#gone)', ':1: dead anchor: #gone'],
    [
      'a path that is gone',
      'docs/a.md',
      'See `libs/gone/src/a.ts`.',
      ':1: path that does not exist: libs/gone/src/a.ts',
    ],
    [
      'a hole in the migrations',
      'apps/keys/src/migrations/0004_late.sql',
      '',
      ':1: this migration has to be called 0003_….sql; numbers are consecutive',
    ],
    [
      'a number taken twice',
      'apps/keys/src/migrations/0002_twice.sql',
      '',
      ':1: this migration has to be called 0003_….sql; numbers are consecutive',
    ],
    [
      'telemetry of a dependency',
      'package-lock.json',
      '{\n"node_modules/@scarf/scarf": {}\n}',
      ':2: telemetry of a dependency in the lock file; keep the override of @scarf/scarf',
    ],
    [
      'a registry in the lock file',
      'package-lock.json',
      '{\n "resolved": "file:///a.tgz" }',
      ':2: a registry in the lock file; keep omit-lockfile-registry-resolved',
    ],
    [
      'a retired phrase in a source',
      'libs/a/src/a.ts',
      '\n/** Gives it. */',
      ':2: “/** Gives” is retired; say: returns',
    ],
    [
      'a retired phrase in a document',
      'docs/a.md',
      'Mend it, and mend that.',
      ':1: “mend” is retired; say: fix, repair',
    ],
    [
      'a spread that only packs lines',
      'libs/a/src/a.ts',
      'export const a = { ...{ b: 1 } };',
      ':1: “...{” is retired; say: one property per line; a spread of a literal only hides the length',
    ],
  ])('finds %s', async (_, path, text, expected) => {
    expect(await violations({ [path]: text })).toEqual([`${path}${expected}`]);
  });
});

describe('a handler', () => {
  const OPERATIONS = `export const OPERATIONS = [
  { id: 'createApiKey', service: 'keys', response: { kind: 'json' } },
  { id: 'issueOAuthToken', service: 'keys', response: { kind: 'json' } },
  { id: 'connectRun', service: 'research', response: { kind: 'socket' } },
];
`;
  const files = {
    'libs/contracts/src/operations/index.ts': OPERATIONS,
    'apps/keys/src/create-api-key.ts': 'export async function createApiKey() {}\n',
    'apps/keys/src/oauth/issue-oauth-token.ts': 'export const issueOAuthToken = () => 1;\n',
  };

  it('bears the id of its operation, as does its file', async () => {
    expect(await violations(files)).toEqual([]);
  });

  it('has no other name', async () => {
    const renamed = { ...files, 'apps/keys/src/create-api-key.ts': 'export async function createKey() {}\n' };
    expect(await violations(renamed)).toEqual([
      'libs/contracts/src/operations/index.ts:2: no file apps/keys/src/**/create-api-key.ts with the handler createApiKey()',
    ]);
  });

  it('is in one place', async () => {
    const twice = { ...files, 'apps/keys/src/issue-oauth-token.ts': 'export function issueOAuthToken() {}\n' };
    expect(await violations(twice)).toEqual([
      'libs/contracts/src/operations/index.ts:3: 2 files apps/keys/src/**/issue-oauth-token.ts with the handler issueOAuthToken()',
    ]);
  });
});

describe('the configuration page', () => {
  const files = { ...CLEAN, 'apps/keys/src/config.ts': CONFIG };

  async function withPage(edit: (page: string) => string, more: Record<string, string> = {}): Promise<string[]> {
    const root = createTestRepository({ ...files, 'docs/configuration.md': '', ...more });
    writeFileSync(join(root, 'docs/configuration.md'), edit(await renderConfigDocs(root)));
    const found = await tidyViolations(root);
    return found.map(({ file, line, message }) => `${file}:${line}: ${message}`);
  }

  it('tells name, default and effect of every variable', async () => {
    const page = await renderConfigDocs(createTestRepository(files));
    expect(page).toContain('## keys\n\n| Variable       | Default  | Effect              |\n');
    expect(page).toContain('| `CAIRN_PORT`   | `8080`   | Where it listens.   |\n');
    expect(page).toContain('| `DATABASE_URL` | required | Where the rows are. |\n');
  });

  it('passes as it was written', async () => {
    expect(await withPage((page) => page)).toEqual([]);
  });

  it('has to be there', async () => {
    expect(await violations({ 'apps/keys/src/config.ts': CONFIG })).toEqual([
      'docs/configuration.md:1: is missing; run npm run generate:docs',
    ]);
  });

  it('may leave nothing out', async () => {
    expect(await withPage((page) => page.replace(/^\| `CAIRN_PORT`.*\n/m, ''))).toEqual([
      'apps/keys/src/config.ts:5: CAIRN_PORT is not in docs/configuration.md; run npm run generate:docs',
    ]);
  });

  it('may not leave out what the command line reads', async () => {
    const main = "export const data = process.env['CAIRN_DATA_DIR'];\n";
    expect(await withPage((page) => page, { 'apps/cairn/src/main.ts': main })).toEqual([
      'apps/cairn/src/main.ts:1: CAIRN_DATA_DIR is not in docs/configuration.md; run npm run generate:docs',
    ]);
  });

  it('may tell of nothing that is gone', async () => {
    const found = await withPage((page) => `${page}| \`CAIRN_GONE\` | \`1\` | None. |\n`);
    expect(found).toEqual(['docs/configuration.md:12: CAIRN_GONE is read by nothing; run npm run generate:docs']);
  });

  it('may not be edited', async () => {
    expect(await withPage((page) => page.replace('8080', '8081'))).toEqual([
      'docs/configuration.md:10: not what the sources say; run npm run generate:docs',
    ]);
  });
});

describe('the tables of events', () => {
  const page = ['webhook events', 'stream events']
    .map((name) => `<!-- ${name}: generated by \`npm run generate:docs\` -->\n<!-- ${name}: end -->\n`)
    .join('\n');

  it('pass as they are written, and may not be edited', async () => {
    const written = withEventTables(page);
    expect(await violations({ [EVENT_DOCS]: written })).toEqual([]);
    expect(await violations({ [EVENT_DOCS]: written.replace('`chunks`', '`pieces`') })).toEqual([
      `${EVENT_DOCS}:5: not what the sources say; run npm run generate:docs`,
    ]);
  });

  it('list every event of webhooks and of the stream with the names of its fields', () => {
    const [webhooks, stream] = withEventTables(page).split('stream events: generated');
    for (const event of STREAM_EVENTS)
      expect((WEBHOOK_EVENTS as readonly string[]).includes(event) ? webhooks : stream).toContain(`| \`${event}\``);
    expect(webhooks).toContain('`space_id` (or null)');
    expect(webhooks).toContain('`facts: [{fact_id, value, doc_id}]`');
    expect(stream).toContain('`error: {code, message}`');
  });

  it('need the place where they are written', () => {
    expect(() => withEventTables('# Webhooks\n')).toThrow(`${EVENT_DOCS} lacks the lines`);
  });
});
