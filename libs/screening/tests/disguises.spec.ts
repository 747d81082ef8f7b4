import { describe, expect, it } from '@jest/globals';
import { maskText, maskTexts } from '../src/index.ts';

// Put together here, so that no scanner takes this file for a leak.
const TOKEN = `gh${'p_'}cAnArY0123456789abcdefABCDEF01234567`;
const HEX = `${'3f'.repeat(31)}a1`;
const half = TOKEN.length / 2;

/** Secrets by what names them, and secrets in disguise: each with the part that must be gone. */
const LEAKS: readonly (readonly [what: string, text: string, gone: string])[] = [
  ['an environment variable', 'DB_PASS=x7', 'x7'],
  ['an exported variable', 'export PGPASSWORD_MAIN_SECRET=hunter', 'hunter'],
  ['a column of a Markdown table', '| user | password |\n| --- | --- |\n| ann | sunshine |', 'sunshine'],
  ['a column of a CSV file', 'name,password\nann,sunshine', 'sunshine'],
  ['a row of a table that was read', 'user: ann; password: sunshine; role: admin', 'sunshine'],
  ['a nested YAML value', 'secret:\n  value: hunter2abc\nname: x', 'hunter2abc'],
  ['a JSON value', '{"db_password": "sunshine"}', 'sunshine'],
  ['a name in camel case', "clientSecret: 'abcdefgh'", 'abcdefgh'],
  ['hexadecimal digits behind a word for a key', `The signing key is\n${HEX}`, HEX],
  ['a token over two lines', `${TOKEN.slice(0, half)}\n${TOKEN.slice(half)}`, TOKEN.slice(half)],
  ['a token with a hyphen at the end of a line', `${TOKEN.slice(0, half)}-\n${TOKEN.slice(half)}`, TOKEN.slice(half)],
  ['a token with emphasis inside', `${TOKEN.slice(0, half)}**${TOKEN.slice(half)}`, TOKEN.slice(half)],
  ['a label with a Cyrillic letter', 'раssword: hunter2abc', 'hunter2abc'],
  [
    'base64',
    `see ${Buffer.from(`token ${TOKEN}`).toString('base64')} here`,
    Buffer.from(`token ${TOKEN}`).toString('base64').slice(8, 40),
  ],
  ['hexadecimal text', `see ${Buffer.from(TOKEN).toString('hex')} here`, Buffer.from(TOKEN).toString('hex')],
  ['percent signs', `?k=${TOKEN.replace('_', '%5F')}`, TOKEN.slice(6)],
  ['a spoken e-mail address', 'ann dot lee at example dot com', 'example'],
  ['an e-mail address over two lines', 'ann.lee@\nexample.com', 'ann.lee'],
  ['an e-mail address with emphasis inside', 'ann.lee@exam**ple**.com', 'ann.lee'],
  ['a card with dots', '4556.7375.8689.9855', '8689'],
  ['a card with dashes between blanks', '4556 - 7375 - 8689 - 9855', '8689'],
  ['a card in Arabic digits', '٤٥٥٦ ٧٣٧٥ ٨٦٨٩ ٩٨٥٥', '٨٦٨٩'],
];

const ORDINARY: readonly string[] = [
  'The password is required.',
  'password: string;',
  'Enter your password: it must be long.',
  'A secret: nobody knew of the lantern.',
  'The boarding pass: gate A12.',
  `The commit ${'3f'.repeat(20)} fixes it.`,
  `sha256 checksum of the secret file: ${HEX}`,
  'See the section on tokens = words of a text.',
  'We meet at noon. The dot com crash was in 2000.',
  'Die Lösung: ja. Ответ: да. 4.5 + 7.25 = 11.75',
  'secret:\n  enabled: true\n  name: the-name\n',
  'Name,Country\nann,NL\nbob,DE',
  'aGVsbG8gd29ybGQsIHRoaXMgaXMgZmluZQ== is plain text in base64',
];

describe('screening', () => {
  it.each(LEAKS)('masks %s', async (_what, text, gone) => {
    const masked = await maskText(text, 'pii');
    expect(masked).not.toContain(gone);
    expect(masked).toMatch(/\[\[[A-Z_]+_1\]\]/);
  });

  it.each(ORDINARY)('leaves what is no secret as it is: %j', async (text) => {
    expect(await maskText(text, 'pii')).toBe(text);
  });

  it('masks what a metadata key names, and the key itself', async () => {
    const { segments } = await maskTexts([`${TOKEN}:`, 'x', 'ann.lee@example.com:', 'y'], 'pii');
    expect(segments.join(' ')).not.toMatch(/cAnArY|ann\.lee/);
  });

  it.each([
    'a=',
    'key: ',
    '"password": ',
    'A1',
    '%41',
    '@a.',
    '|',
    'secret:\n ',
    ',password',
    '4556.',
    'x at ',
    'a-\n',
  ])(
    'takes a long text of one repeated piece in its stride: %j',
    async (unit) => {
      expect(typeof (await maskText(unit.repeat(Math.ceil(100_000 / unit.length)), 'pii'))).toBe('string');
    },
    60_000,
  );
});
