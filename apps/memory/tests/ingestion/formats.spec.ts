import { afterAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPreparePool } from '../../src/ingestion/preparing/prepare-pool.ts';
import type { PreparedDocument } from '../../src/ingestion/preparing/prepared-document.ts';
import { FONT_WITHOUT_LETTERS, makeDocx, makePdf, makePdfBomb, makeXlsx, makeZip } from './make-files.ts';

const pool = createPreparePool({ workers: 2, cpuMaxMs: 60_000, memoryMaxMb: 384 });
afterAll(() => pool.close());

/** As the service reads it: in a worker thread. */
async function read(content: Buffer | string, fileName = '') {
  const about = {
    fileName,
    mediaType: '',
    title: null,
    metadata: {},
    url: null,
    policy: 'off',
    withTerms: false,
  } as const;
  const [prepared] = await pool.prepare('tnt_test', [
    { ...about, content: typeof content === 'string' ? content : new Uint8Array(content) },
  ]);
  return prepared!;
}

async function parse(content: Buffer | string, fileName = ''): Promise<PreparedDocument> {
  const prepared = await read(content, fileName);
  if (!prepared.ok) throw new Error(`${prepared.code}: ${prepared.message}`);
  return prepared;
}

const bodiesOf = (prepared: PreparedDocument) => prepared.chunks.map((chunk) => chunk.body);

describe('a document is read by what it is', () => {
  it('gives the text of a PDF page by page', async () => {
    const parsed = await parse(makePdf(['The first page speaks of otters.', 'The second of herons.']), 'wrong.docx');
    expect(parsed.mediaType).toBe('application/pdf');
    expect(parsed.chunks.map(({ body, location }) => [body, location.page])).toEqual([
      ['The first page speaks of otters.', 1],
      ['The second of herons.', 2],
    ]);
  });

  it('gives the text of a Word document under its headings', async () => {
    const parsed = await parse(makeDocx(['Heading1: Orchard', 'Prune before the frost.', 'Not after it.']));
    expect(parsed.chunks.map(({ body, titlePath }) => [titlePath, body])).toEqual([
      ['Orchard', 'Prune before the frost.\n\nNot after it.'],
    ]);
  });

  it('names the columns in every row of a table, whether CSV, TSV or workbook', async () => {
    const rows = 'Bin: A1; Part: Gasket; Count: 40\nBin: A2; Part: Bolt; Count: 900';
    const table = [
      ['Bin', 'Part', 'Count'],
      ['A1', 'Gasket', 40],
      ['A2', 'Bolt', 900],
    ];
    const csv = await parse(table.map((row) => row.join(';')).join('\n'));
    const tsv = await parse(Buffer.from(`\ufeff${table.map((row) => row.join('\t')).join('\r\n')}`, 'utf16le'));
    const xlsx = await parse(makeXlsx(table));
    for (const parsed of [csv, tsv, xlsx]) {
      expect(bodiesOf(parsed)).toEqual([rows]);
      expect(parsed.chunks[0]!.location).toMatchObject({ row: 1, row_end: 2 });
    }
    expect(xlsx.chunks[0]!.location.sheet).toBe('Stock');
  });

  it('gives the main content of a page and leaves its surroundings out', async () => {
    const story = `<p>${'The lock keeper opens the gate at dawn, and the barges go through one by one. '.repeat(4)}</p>`;
    const page = `<!doctype html><html><head><title>Locks</title><script>track()</script></head><body><nav><a href="/a">Shop</a> <a href="/b">Jobs</a></nav><article><h1>The lock</h1>${story.repeat(4)}<h2>At night</h2>${story}</article><footer>All rights reserved by nobody</footer></body></html>`;
    const parsed = await parse(Buffer.from(page));
    const text = bodiesOf(parsed).join('\n');
    expect([parsed.mediaType, parsed.title]).toEqual(['text/html', 'Locks']);
    expect(text).toContain('The lock keeper opens the gate');
    expect(text).not.toMatch(/Shop|Jobs|track|rights reserved/);
    expect(parsed.chunks.at(-1)!.location.heading).toBe('At night');
  });

  it('gives the text of a mail with its subject, its time, and who wrote to whom', async () => {
    const mail =
      'From: Ada <ada@example.org>\r\nTo: Bea <bea@example.org>\r\nSubject: =?utf-8?q?Pr=C3=BCfung?=\r\nDate: Tue, 3 Mar 2026 10:00:00 +0100\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nThe test is on Friday.\r\n--x\r\nContent-Disposition: attachment; filename=plan.txt\r\n\r\nsecret plan\r\n--x--\r\n';
    const parsed = await parse(Buffer.from(mail));
    expect(parsed).toMatchObject({
      mediaType: 'message/rfc822',
      title: 'Prüfung',
      occurredAt: '2026-03-03T09:00:00.000Z',
    });
    expect(parsed.chunks).toMatchObject([
      {
        titlePath: 'Prüfung',
        contextPrefix: 'From Ada to Bea',
        body: 'The test is on Friday.\n\nAttachments: plan.txt',
      },
    ]);
  });

  it('gives JSON as names and values with their place, numbers as they were written', async () => {
    const parsed = await parse(
      '{"pump": {"id": 12345678901234567890.10, "tags": ["north", "old"]}, "__proto__": {"x": 1}}',
    );
    expect(bodiesOf(parsed)).toEqual(['pump.id: 12345678901234567890.10\npump.tags: north, old\n__proto__.x: 1']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    const lines = await parse('{"name": "a"}\n{"name": "b"}\n');
    expect(bodiesOf(lines)).toEqual(['name: a\nname: b']);
  });

  it('reads text in UTF-8, UTF-16 and Windows-1252, and stores no byte order mark and no NUL', async () => {
    for (const bytes of [
      Buffer.from('\ufeffcafé in der Straße'),
      Buffer.from('\ufeffcafé in der Straße', 'utf16le'),
      Buffer.from('café in der Straße', 'latin1'),
    ])
      expect(bodiesOf(await parse(bytes))).toEqual(['café in der Straße']);
    expect(bodiesOf(await parse(Buffer.from('one\0two three four five six')))).toEqual(['one two three four five six']);
  });

  it('stores no NUL of a font without letters, of an office file, of an escape in JSON or of a mail', async () => {
    const mail =
      'From: a@example.org\nTo: b@example.org\nSubject: =?utf-8?q?x=00y?=\nContent-Transfer-Encoding: quoted-printable\n\none=00two\n';
    for (const content of [
      makePdf(['one\\000two'], FONT_WITHOUT_LETTERS),
      makeDocx(['one\0two']),
      makeXlsx([['one\0two', 'x']]),
      '{"one\\u0000two": 1}',
      mail,
    ]) {
      const text = JSON.stringify(await parse(content));
      expect(text).toContain('one two');
      expect(text).not.toContain('\\u0000');
    }
    expect(await read(makePdf(['\\000\\000'], FONT_WITHOUT_LETTERS))).toMatchObject({ ok: false, code: 'no_text' });
  });

  it('finds a chapter whose name is not well escaped, and one in another folder', async () => {
    const book = makeZip({
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
      'OPS/book.opf':
        '<package><manifest><item id="a" href="100%.xhtml"/><item id="b" href="../text/b%20c.xhtml#start"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
      'OPS/100%.xhtml': '<html><body><p>All of it.</p></body></html>',
      'text/b c.xhtml': '<html><body><p>Some of it.</p></body></html>',
    });
    const { chunks } = await parse(book);
    expect(chunks.map(({ body, location }) => [body, location.page])).toEqual([
      ['All of it.', 1],
      ['Some of it.', 2],
    ]);
  });

  it('takes prose for prose, commas and colons notwithstanding', async () => {
    const prose = 'Dear all,\nwe meet at nine, as ever.\nBring cake, please.\n\nNote: the lift is out, use the stairs.';
    expect((await parse(prose)).mediaType).toBe('text/plain');
  });
});

describe('a document that cannot be read says why', () => {
  const bomb = Buffer.alloc(64 * 1_048_576, 0x20);
  const nested = (depth: number) => {
    let mail = 'From: a@b.c\r\nTo: d@e.f\r\nSubject: x\r\nMIME-Version: 1.0\r\n';
    for (let level = 0; level < depth; level += 1)
      mail += `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`;
    return Buffer.from(`${mail}\r\nend\r\n`);
  };
  const entities = '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>';

  it.each<[string, Buffer | string, string]>([
    ['an empty file', Buffer.alloc(0), 'empty_document'],
    ['blanks', '  \n ', 'empty_document'],
    ['a PDF without text', makePdf(['']), 'no_text'],
    ['a PDF that is cut off', makePdf(['x']).subarray(0, 40), 'broken_file'],
    [
      'a picture',
      Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xea\x60\0\0\xea\x60\x08\x06\0\0\0', 'latin1'),
      'unsupported_format',
    ],
    ['an archive', makeZip({ 'notes.txt': 'root' }), 'unsupported_format'],
    ['an archive with paths out of it', makeZip({ '../../etc/passwd': 'root' }), 'broken_file'],
    ['an archive that is cut off', makeDocx(['x']).subarray(0, 200), 'broken_file'],
    ['a document that unpacks to a bomb', makeZip({ 'word/document.xml': bomb }), 'unsafe_file'],
    ['a document that declares entities', makeDocx(['x'], entities), 'unsafe_file'],
    ['JSON nested too deep', '['.repeat(100_000), 'nested_too_deep'],
    ['a mail nested too deep', nested(2_000), 'nested_too_deep'],
    [
      'an encrypted Office file',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
      'password_required',
    ],
    ['an Office file of before 2007', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'unsupported_format'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>', 'unsupported_format'],
  ])('%s', async (_name, content, code) => {
    expect(await read(content)).toMatchObject({ ok: false, code });
  });

  it('a page nested ten thousand deep is read or refused, and ends', async () => {
    const page = `<html><body>${'<div>'.repeat(10_000)}deep</body></html>`;
    const outcome = await read(page);
    expect(outcome.ok ? 'read' : outcome.code).toMatch(/^(?:read|nested_too_deep|no_text)$/);
  });
});

describe('a worker process', () => {
  it('that runs out of memory takes one document with it, not its neighbours, and not the service', async () => {
    const small = createPreparePool({ workers: 2, cpuMaxMs: 60_000, memoryMaxMb: 64 });
    try {
      const about = { fileName: '', mediaType: '', title: null, metadata: {}, url: null, withTerms: false };
      const documents = ['A first one.', '巨'.repeat(6_000_000), 'A third one.'].map((content) => ({
        ...about,
        policy: 'pii' as const,
        content,
      }));
      const prepared = await small.prepare('tnt_test', documents);
      expect(prepared.map((each) => (each.ok ? 'ok' : each.code))).toEqual(['ok', 'needs_too_much_memory', 'ok']);
    } finally {
      await small.close();
    }
  }, 240_000);

  it('that cannot read a part of a document for the graph throws, so that nothing is taken for empty', async () => {
    const reading = createPreparePool({ workers: 2, cpuMaxMs: 60_000, memoryMaxMb: 384 });
    try {
      const good = [{ titlePath: '', body: 'Ola Nordmann is the CEO of Orvik Instruments.', said: [] }];
      const bad = [{ titlePath: '', body: 'Nothing', said: null as never }];
      await expect(reading.readWindows('tnt_test', [good, bad, good])).rejects.toThrow();
      const read = await reading.readWindows('tnt_test', [good, good]);
      expect(read.map((window) => window[0]!.facts.some(({ relation }) => relation === 'ceo'))).toEqual([true, true]);
    } finally {
      await reading.close();
    }
  });

  it('that takes too long is ended, and its document fails', async () => {
    const hasty = createPreparePool({ workers: 2, cpuMaxMs: 1, memoryMaxMb: 384 });
    try {
      const about = { fileName: 'a.txt', mediaType: '', title: null, metadata: {}, url: null, withTerms: false };
      const content = 'A sentence that is long to read. '.repeat(100_000);
      const [prepared] = await hasty.prepare('tnt_test', [{ ...about, policy: 'pii', content }]);
      expect(prepared).toMatchObject({ ok: false, code: 'reading_timed_out', title: 'a.txt' });
    } finally {
      await hasty.close();
    }
  });

  it('that a small file fills with gigabytes fails that file; the service keeps its size, and others are read', async () => {
    const bounded = createPreparePool({ workers: 2, cpuMaxMs: 20_000, memoryMaxMb: 96 });
    const about = { fileName: '', mediaType: '', title: null, metadata: {}, url: null, withTerms: false };
    const bomb = { ...about, policy: 'pii' as const, content: new Uint8Array(makePdfBomb(250)) };
    const note = { ...about, policy: 'pii' as const, content: 'A note of no importance.' };
    const sizeBefore = process.memoryUsage.rss();
    let sizeMax = sizeBefore;
    try {
      let isRead = false;
      const hostile = bounded.prepare('tnt_hostile', [bomb]).finally(() => (isRead = true));
      let others = 0;
      while (!isRead) {
        expect(await bounded.prepare('tnt_polite', [note])).toMatchObject([{ ok: true }]);
        sizeMax = Math.max(sizeMax, process.memoryUsage.rss());
        others += 1;
        await sleep(50);
      }
      expect(await hostile).toMatchObject([{ ok: false, code: 'needs_too_much_memory' }]);
      expect(others).toBeGreaterThan(0);
      expect(sizeMax - sizeBefore).toBeLessThan(200 * 1_048_576);
    } finally {
      await bounded.close();
    }
  }, 60_000);
});
