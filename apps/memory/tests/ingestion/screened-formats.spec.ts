import { describe, expect, it } from '@jest/globals';
import { prepareDocument } from '../../src/ingestion/preparing/prepare-document.ts';
import { makeDocx, makeXlsx } from './make-files.ts';

/** What a document calls a value, and a value that only its name gives away. */
const NAMED: readonly (readonly [name: string, value: string, policy: 'secrets' | 'pii'])[] = [
  ['password', 'sunshine', 'secrets'],
  ['Wi-Fi password', 'Sonne!33', 'secrets'],
  ['Kennwort', 'mondlicht', 'secrets'],
  ['passphrase', 'tulip-river', 'secrets'],
  ['client_secret', 'abcdefgh', 'secrets'],
  ['api key', 'f8Kq22Lmzz01ab', 'secrets'],
  ['PIN', '4711', 'secrets'],
  ['card number', '4111 1111 1111 1112', 'secrets'],
  ['IBAN', 'NL00 BANK 0123 4567 89', 'secrets'],
  ['SSN', '123 45 678', 'secrets'],
  ['phone', '555 1234', 'pii'],
  ['date of birth', '3/4/81', 'pii'],
  ['home address', 'Flat 3, Old Mill', 'pii'],
];

type Format = (name: string, value: string) => string | Buffer;

const html = (inner: string) => `<html><body><h1>Accounts</h1>${inner}</body></html>`;
const row = (tag: string, cells: readonly string[]) =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
const columns = (name: string, value: string) => [
  ['host', name, 'role'],
  ['alpha', value, 'admin'],
  ['beta', 'n/a', 'guest'],
];
const pairs = (name: string, value: string) => [
  ['host', 'alpha'],
  [name, value],
  ['role', 'admin'],
];
const lines = (rows: readonly (readonly string[])[], sign: string) => rows.map((cells) => cells.join(sign)).join('\n');
const quoted = (text: string) => `"${text}"`;
const piped = (rows: readonly (readonly string[])[]) => {
  const [head = [], ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return ['# Accounts', '', head, `|${' --- |'.repeat(rows[0]!.length)}`, ...body].join('\n');
};
const mail = (body: string) =>
  `From: ann@example.org\nTo: bob@example.org\nSubject: Accounts\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nContent-Type: text/html\n\n${body}`;

const FORMATS: Readonly<Record<string, Format>> = {
  'a column of CSV': (name, value) => lines(columns(name, quoted(value)), ','),
  'a row of CSV with two columns': (name, value) => lines(pairs(name, quoted(value)), ','),
  'the second of two columns of CSV': (name, value) =>
    lines(
      [
        ['host', name],
        ['alpha', quoted(value)],
        ['beta', 'n/a'],
      ],
      ',',
    ),
  'a column parted by tabs': (name, value) => lines(columns(name, value), '\t'),
  'a row parted by semicolons': (name, value) => lines(pairs(name, quoted(value)), ';'),
  'a column of a workbook': (name, value) => makeXlsx(columns(name, value)),
  'a row of a workbook': (name, value) => makeXlsx(pairs(name, value)),
  'a column of a table in Word': (name, value) => makeDocx(['Accounts'], '', columns(name, value)),
  'a row of a table in Word': (name, value) => makeDocx(['Accounts'], '', pairs(name, value)),
  'a column of a Markdown table': (name, value) => piped(columns(name, value)),
  'a row of a Markdown table': (name, value) => piped([['field', 'value'], ...pairs(name, value)]),
  'the second of two columns in Markdown': (name, value) =>
    piped([
      ['host', name],
      ['alpha', value],
    ]),
  'a column of an HTML table': (name, value) => {
    const [head = [], ...body] = columns(name, value);
    return html(`<table>${row('th', head)}${body.map((cells) => row('td', cells)).join('')}</table>`);
  },
  'a row of an HTML table': (name, value) =>
    html(
      `<table>${pairs(name, value)
        .map((cells) => row('td', cells))
        .join('')}</table>`,
    ),
  'a headed row of an HTML table': (name, value) =>
    html(
      `<table>${pairs(name, value)
        .map(([head, cell]) => `<tr><th>${head}</th><td>${cell}</td></tr>`)
        .join('')}</table>`,
    ),
  'a definition in HTML': (name, value) =>
    html(`<dl><dt>host</dt><dd>alpha</dd><dt>${name}</dt><dd>${value}</dd></dl>`),
  'a table in a mail': (name, value) =>
    mail(
      html(
        `<table>${pairs(name, value)
          .map((cells) => row('td', cells))
          .join('')}</table>`,
      ),
    ),
  'a member of JSON': (name, value) => JSON.stringify({ host: 'alpha', login: { role: 'admin', [name]: value } }),
  'a name and a value in JSON': (name, value) =>
    JSON.stringify([
      { name: 'host', value: 'alpha' },
      { name, value },
    ]),
  'lines of JSON': (name, value) =>
    `${JSON.stringify({ host: 'alpha', [name]: value })}\n${JSON.stringify({ host: 'b' })}`,
  'lists of JSON': (name, value) => JSON.stringify({ accounts: columns(name, value) }),
  'a member of JSON too long for one piece': (name, value) =>
    JSON.stringify({ notes: { text: 'A note. '.repeat(400) }, login: { host: 'alpha', [name]: value } }),
  'an XML element': (name, value) =>
    `<?xml version="1.0"?>\n<account><host>alpha</host>${element(name, value)}</account>`,
  'an XML element in a paragraph of its own': (name, value) =>
    `<?xml version="1.0"?>\n<account>\n\n  ${element(name, value)}\n\n</account>`,
  'an XML attribute': (name, value) =>
    `<?xml version="1.0"?>\n<accounts><account host="alpha" ${tag(name)}="${value}"/></accounts>`,
  'an XML element under a key': (name, value) => `<map><entry key="${name}">${value}</entry></map>`,
  'an XML element behind its key': (name, value) => `<dict><key>${name}</key><string>${value}</string></dict>`,
  'attributes of XML': (name, value) => `<settings><add key="${name}" value="${value}"/></settings>`,
  'XML in a listing': (name, value) => `# Setup\n\n\`\`\`xml\n<account>${element(name, value)}</account>\n\`\`\`\n`,
  'HTML in Markdown': (name, value) =>
    `# Setup\n\n<table>${row('td', ['host', 'alpha'])}${row('td', [name, value])}</table>\n`,
};

const tag = (name: string) => name.replaceAll(' ', '_');
const element = (name: string, value: string) => `<${tag(name)}>${value}</${tag(name)}>`;
const MASK = /\[\[[A-Z_]+_\d+\]\]/;

async function stored(content: string | Buffer, policy: 'secrets' | 'pii' = 'secrets', metadata = {}) {
  return prepareDocument({
    content,
    fileName: '',
    mediaType: '',
    title: null,
    metadata,
    url: null,
    policy,
    withTerms: true,
  });
}

describe('a value that its name gives away', () => {
  it.each(Object.entries(FORMATS))('is stored nowhere when it is %s', async (what, format) => {
    const kept: string[] = [];
    for (const [name, value, policy] of NAMED) {
      const prepared = await stored(format(name, value), policy);
      const text = JSON.stringify(prepared);
      if (!prepared.ok || !MASK.test(text) || text.includes(value)) kept.push(`${name}: ${text.slice(0, 400)}`);
      else if (!/alpha|admin|element behind|of its own|attributes of|under a key|listing/.test(`${text} ${what}`))
        kept.push(`${name} took its neighbours along: ${text.slice(0, 400)}`);
    }
    expect(kept).toEqual([]);
  });

  it('is stored nowhere when it is a value of metadata', async () => {
    for (const [name, value, policy] of NAMED) {
      const text = JSON.stringify(await stored('A letter.', policy, { [name]: value, host: 'alpha' }));
      expect(text).not.toContain(value);
      expect(text).toContain('alpha');
    }
  });

  it('stays under a policy that does not ask for it', async () => {
    for (const [name, value] of NAMED.filter(([, , policy]) => policy === 'pii'))
      expect(JSON.stringify(await stored(lines(columns(name, quoted(value)), ',')))).toContain(value);
  });

  it('is gone wherever else the document says it', async () => {
    const text = JSON.stringify(
      await stored('# Setup of tulip!7river\n\npassword: tulip!7river\n\nThen type tulip!7river.'),
    );
    expect(text).not.toContain('tulip!7river');
  });

  it('keeps what the other columns say, in their places', async () => {
    const prepared = await stored(lines(columns('password', 'sunshine'), ','));
    expect(prepared.ok && prepared.chunks[0]!.body).toBe(
      'host: alpha; password: [[PASSWORD_1]]; role: admin\nhost: beta; password: n/a; role: guest',
    );
  });
});
