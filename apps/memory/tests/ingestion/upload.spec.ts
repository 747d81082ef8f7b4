import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { INGEST_FILE_MAX_BYTES, newId } from '@cairn/contracts';
import { bootMemory, type BootedMemory } from '../memory-harness.ts';
import { FONT_WITHOUT_LETTERS, makeDocx, makePdf } from './make-files.ts';
import { DOCUMENTS, ended, found, upload, uploaded } from './take-in.ts';

let memory: BootedMemory;
beforeAll(async () => {
  memory = await bootMemory();
}, 60_000);
afterAll(() => memory.close());

describe('a file as multipart/form-data', () => {
  it('is searchable when it is completed, with the page it is on, its fields and its name', async () => {
    const caller = memory.newCaller();
    const pdf = makePdf(['The first page is about otters.', 'Herons nest on the second.']);
    const document = await uploaded(memory, caller, 'birds and otters.pdf', pdf, {
      external_id: 'report-7',
      metadata: '{"year": 2026}',
      occurred_at: '2026-03-01T00:00:00Z',
    });
    expect(document).toMatchObject({
      status: 'completed',
      media_type: 'application/pdf',
      title: 'birds and otters.pdf',
      external_id: 'report-7',
      metadata: { year: 2026 },
      bytes: pdf.length,
      error: null,
      progress: null,
    });
    const [hit] = await found(memory, caller, 'Where do herons nest?');
    expect([hit!.doc_id, hit!.location['page']]).toEqual([document.doc_id, 2]);
  });

  it.each<[string, string, Buffer]>([
    ['a NUL', 'nul.pdf', makePdf(['The otter\\000swims.'], FONT_WITHOUT_LETTERS)],
    ['a heading of characters of two units', 'long.md', Buffer.from(`# a${'😀'.repeat(160)}\n\nThe otter swims.`)],
    [
      'a time before all years',
      'page.html',
      Buffer.from(
        '<html><head><meta property="article:published_time" content="0001-01-01T00:00:00+01:00"></head><body><p>The otter swims.</p></body></html>',
      ),
    ],
  ])('that holds what cannot be stored is completed without it: %s', async (_what, name, bytes) => {
    const caller = memory.newCaller();
    const document = await uploaded(memory, caller, name, bytes);
    expect(document).toMatchObject({ status: 'completed', error: null, occurred_at: null });
    expect((await found(memory, caller, 'otter swims'))[0]!.text).toContain('The otter swims.');
  });

  it('sent twice is one document, and a new version under the same external id keeps what did not change', async () => {
    const caller = memory.newCaller();
    const first = makeDocx(['Heading1: Tides', 'High water is at noon.', 'Heading1: Winds', 'From the west.']);
    const one = await uploaded(memory, caller, 'a.docx', first, { external_id: 'almanac' });
    const [kept] = await found(memory, caller, 'high water noon');
    expect((await uploaded(memory, caller, 'a.docx', first, { external_id: 'almanac' })).doc_id).toBe(one.doc_id);
    const second = makeDocx(['Heading1: Tides', 'High water is at noon.', 'Heading1: Winds', 'From the north.']);
    const two = await uploaded(memory, caller, 'a.docx', second, { external_id: 'almanac' });
    expect([two.doc_id, two.bytes]).toEqual([one.doc_id, second.length]);
    expect(await found(memory, caller, 'high water noon')).toMatchObject([{ chunk_id: chunkIdOf(kept) }]);
    expect((await found(memory, caller, 'winds')).map(({ text }) => text)).toEqual(['From the north.']);
  });

  const chunkIdOf = (hit: unknown) => (hit as { chunk_id: string }).chunk_id;

  it('that cannot be read fails with a code and keeps nothing but its name', async () => {
    const caller = memory.newCaller();
    const broken = await uploaded(memory, caller, 'broken.pdf', Buffer.from('%PDF-1.7 and then nothing of the kind'));
    expect(broken).toMatchObject({ status: 'failed', title: 'broken.pdf', chunks: 0, error: { code: 'broken_file' } });
    const queued = await memory.database.worker.transaction((tx) => tx.query('SELECT 1 FROM ingest_queue'));
    expect(queued).toEqual([]);
    // Failed content does not stand in the way of another try.
    const again = await uploaded(memory, caller, 'broken.pdf', Buffer.from('%PDF-1.7 and then nothing of the kind'));
    expect(again.doc_id).not.toBe(broken.doc_id);
  });

  it('honours Idempotency-Key by content and fields', async () => {
    const caller = memory.newCaller();
    const key = { 'idempotency-key': newId('event') };
    const send = (text: string) => upload(memory, caller, { name: 'a.txt', bytes: Buffer.from(text) }, {}, key);
    const first = await send('Once only.');
    const again = await send('Once only.');
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([202, first.body, 'true']);
    expect(await send('Something else.')).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } });
  });

  it.each<[string, Record<string, string>, string]>([
    ['an unknown field', { titel: 'x' }, 'titel'],
    ['metadata that is not JSON', { metadata: '{' }, 'metadata'],
    ['metadata that cannot be stored', { metadata: '{"a": "\\u0000"}' }, 'metadata.a'],
    ['an invalid space id', { space_id: 'nope' }, 'space_id'],
  ])('with %s is 422 and names it', async (_name, fields, path) => {
    const caller = memory.newCaller();
    const answer = await upload(memory, caller, { name: 'a.txt', bytes: Buffer.from('x') }, fields);
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  it('is required in a form', async () => {
    const answer = await upload(memory, memory.newCaller(), null, { title: 'x' });
    expect([answer.status, answer.body.errors]).toEqual([422, [{ path: 'file', message: 'is required' }]]);
  });

  it('of the largest size is taken, and one byte more is 413', async () => {
    const caller = memory.newCaller();
    const line = 'All work and no play makes Jack a dull boy.\n';
    const bytes = Buffer.alloc(INGEST_FILE_MAX_BYTES, line);
    const taken = await upload(memory, caller, { name: 'a.txt', bytes });
    expect(taken.status).toBe(202);
    expect(await ended(memory, caller, taken.body.documents[0].doc_id)).toMatchObject({
      error: { code: 'too_much_content' },
    });
    const larger = await upload(memory, caller, { name: 'a.txt', bytes: Buffer.alloc(bytes.length + 1, line) });
    expect([larger.status, larger.body.code]).toEqual([413, 'payload_too_large']);
  });

  it('that breaks off is an error of the client', async () => {
    const caller = memory.newCaller();
    const answer = await memory.call(
      caller,
      'POST',
      DOCUMENTS,
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhal',
      {
        'content-type': 'multipart/form-data; boundary=x',
      },
    );
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_request']);
    const nameless = await memory.call(caller, 'POST', DOCUMENTS, 'x', { 'content-type': 'multipart/form-data' });
    expect([nameless.status, nameless.body.code]).toEqual([400, 'malformed_request']);
  });
});
