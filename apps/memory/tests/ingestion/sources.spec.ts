import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, listenOnLoopback } from '@cairn/testing';
import { bootMemory, type BootedMemory } from '../memory-harness.ts';
import { makePdf } from './make-files.ts';
import { DOCUMENTS, ended, eventsOf, found, jobDone, takenIn, uploaded } from './take-in.ts';

let memory: BootedMemory;
let site: Server;
let base: string;
/** What the site answers, by path; may change at any time. */
const pages = new Map<string, { status?: number; type?: string; body: string | Buffer; location?: string }>();

/** Answers that are held back. */
const slow: (() => void)[] = [];
/** Of them, open now and at most at a time. */
let [open, openMost] = [0, 0];

beforeAll(async () => {
  site = createServer((request, response) => {
    if (request.url?.startsWith('/slow/') === true) {
      openMost = Math.max(openMost, ++open);
      response.once('close', () => (open -= 1));
      return void slow.push(() => response.end('Late.'));
    }
    const page = pages.get(request.url ?? '') ?? { status: 404, body: 'no' };
    response.writeHead(page.status ?? 200, {
      'content-type': page.type ?? 'text/plain',
      ...(page.location === undefined ? {} : { location: page.location }),
    });
    response.end(page.body);
  });
  const port = await listenOnLoopback(site);
  base = `http://127.0.0.1:${port}`;
  memory = await bootMemory({ CAIRN_ALLOW_PRIVATE_NETWORK: 'true' });
}, 60_000);
afterAll(async () => {
  site.close();
  await memory.close();
});

describe('an address', () => {
  it('is fetched and read by what it holds, and fetched again when it is sent again', async () => {
    const caller = memory.newCaller();
    pages.set('/report', { type: 'application/octet-stream', body: makePdf(['Herons nest here.']) });
    const [first] = await takenIn(memory, caller, [{ url: `${base}/report` }]);
    expect(first).toMatchObject({ status: 'completed', media_type: 'application/pdf', source_uri: `${base}/report` });
    pages.set('/report', { body: 'Storks nest here.' });
    const [second] = await takenIn(memory, caller, [{ url: `${base}/report` }]);
    expect([second.doc_id, second.media_type]).toEqual([first.doc_id, 'text/plain']);
    expect((await found(memory, caller, 'nest')).map(({ text }) => text)).toEqual(['Storks nest here.']);
  });

  it('may redirect', async () => {
    const caller = memory.newCaller();
    pages.set('/old', { status: 302, location: '/new', body: '' });
    pages.set('/new', { body: 'It moved.' });
    expect((await takenIn(memory, caller, [{ url: `${base}/old` }]))[0].status).toBe('completed');
  });

  it('that says no fails with what it said; one that fails for now is tried again, and why is told', async () => {
    const caller = memory.newCaller();
    const [gone] = await takenIn(memory, caller, [{ url: `${base}/gone` }]);
    expect(gone.error).toEqual({ code: 'source_unavailable', message: 'The address answers with status 404.' });
    pages.set('/later', { status: 503, body: 'busy' });
    const answer = await memory.call(caller, 'POST', DOCUMENTS, { url: `${base}/later` });
    const docId = answer.body.documents[0].doc_id;
    const waiting = await eventually(
      () => memory.call(caller, 'GET', `${DOCUMENTS}/${docId}`),
      ({ body }) => body.progress?.cause !== null,
    );
    expect(waiting.body).toMatchObject({
      status: 'queued',
      progress: { step: 'queued', attempts: 1, cause: 'fetch:status_503', next_attempt_at: expect.any(String) },
    });
    pages.set('/later', { body: 'Here it is.' });
    expect((await ended(memory, caller, docId)).status).toBe('completed');
  });

  it('that failed is fetched again by a job, with all that was said of it, however long ago it failed', async () => {
    const caller = memory.newCaller();
    const document = { url: `${base}/missing`, title: 'Field notes', metadata: { season: 'spring' } };
    const [failed] = await takenIn(memory, caller, [document]);
    expect(failed.status).toBe('failed');
    pages.set('/missing', { body: 'Herons are back.' });
    const job = await jobDone(memory, caller, 'retry', { doc_ids: [failed.doc_id] });
    expect(job).toMatchObject({ kind: 'retry', documents: 1, done: 1, failed: 0, problems: [] });
    const again = await ended(memory, caller, failed.doc_id);
    expect(again).toMatchObject({
      status: 'completed',
      error: null,
      title: 'Field notes',
      metadata: { season: 'spring' },
    });
    expect(await found(memory, caller, 'herons')).toMatchObject([{ doc_id: failed.doc_id }]);
    await jobDone(memory, caller, 'delete', { doc_ids: [failed.doc_id] });
    const events = await eventsOf(memory, caller, 'documentsQueued', 'documentFailed', 'documentsDeleted');
    const one = { docIds: [failed.doc_id], vaultId: failed.vault_id };
    expect(events.map(({ payload }) => payload)).toMatchObject([
      { case: 'documentsQueued', value: one },
      { case: 'documentFailed', value: { docId: failed.doc_id, title: 'Untitled', code: 'source_unavailable' } },
      { case: 'documentsQueued', value: one },
      { case: 'documentsDeleted', value: one },
    ]);
  });

  it('with a credential in it is not shown with it', async () => {
    const caller = memory.newCaller();
    const token = `gh${'p_'}pAvLQIO4G9J4wIiyFdYB9aiSXU7g7XEzFuRe`;
    pages.set(`/doc?token=${token}`, { body: 'Behind a token.' });
    const [document] = await takenIn(memory, caller, [{ url: `${base}/doc?token=${token}` }]);
    expect(document.source_uri).toBe(`${base}/doc?token=[[API_KEY_1]]`);
  });

  it.each(['ftp://example.org/x', 'file:///etc/passwd', 'not an address', ''])('%s is 422', async (url) => {
    const answer = await memory.call(memory.newCaller(), 'POST', DOCUMENTS, { url });
    expect(answer.status).toBe(422);
  });

  it('that is slow, of one tenant, holds up neither files nor addresses of another', async () => {
    const [busy, quick] = [memory.newCaller(), memory.newCaller()];
    pages.set('/quick', { body: 'At once.' });
    const documents = Array.from({ length: 12 }, (_, at) => ({ url: `${base}/slow/${at}` }));
    const accepted = await memory.call(busy, 'POST', DOCUMENTS, { documents });
    await eventually(
      async () => slow.length,
      (held) => held >= 4,
    );
    expect((await takenIn(memory, quick, [{ url: `${base}/quick` }]))[0].status).toBe('completed');
    expect((await uploaded(memory, quick, 'note.md', Buffer.from('# Now'))).status).toBe('completed');
    // One tenant's share, however many runners woke at once.
    expect(openMost).toBe(4);
    const answering = setInterval(() => slow.splice(0).forEach((answer) => answer()), 20);
    for (const { doc_id } of accepted.body.documents)
      expect((await ended(memory, busy, doc_id)).status).toBe('completed');
    clearInterval(answering);
  });

  it('twice in one call is one document', async () => {
    const caller = memory.newCaller();
    pages.set('/twice', { body: 'Only once.' });
    const twice = await takenIn(memory, caller, [
      { url: `${base}/twice` },
      { content: 'Between.' },
      { url: `${base}/twice` },
    ]);
    expect(twice.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    expect(twice[2].doc_id).toBe(twice[0].doc_id);
    expect(twice[1].doc_id).not.toBe(twice[0].doc_id);
  });

  it('and content together are 422, in a batch too', async () => {
    const caller = memory.newCaller();
    const both = { url: `${base}/x`, content: 'x' };
    expect((await memory.call(caller, 'POST', DOCUMENTS, both)).status).toBe(422);
    expect((await memory.call(caller, 'POST', DOCUMENTS, { documents: [both] })).status).toBe(422);
    expect((await memory.call(caller, 'POST', DOCUMENTS, { documents: [{}] })).status).toBe(422);
  });
});

describe('an operator who allows less', () => {
  let strict: BootedMemory;
  beforeAll(async () => {
    strict = await bootMemory({ CAIRN_FAILED_CONTENT_KEEP_DAYS: '0' });
  }, 60_000);
  afterAll(() => strict.close());

  it('has an address inside the network refused, and never asked', async () => {
    let asked = 0;
    site.on('request', () => (asked += 1));
    const [document] = await takenIn(strict, strict.newCaller(), [{ url: `${base}/inside` }]);
    expect(document.error.code).toBe('source_refused');
    expect(asked).toBe(0);
  });

  it('keeps nothing of a text that failed, and of an address only what it needs to be fetched again', async () => {
    const caller = strict.newCaller();
    const [text, address] = await takenIn(strict, caller, [{ content: '   ' }, { url: `${base}/inside` }]);
    const job = await jobDone(strict, caller, 'retry', { doc_ids: [text.doc_id, address.doc_id] });
    expect([job.done, job.problems]).toMatchObject([1, [{ doc_id: text.doc_id, code: 'content_not_kept' }]]);
    expect((await ended(strict, caller, address.doc_id)).error.code).toBe('source_refused');
  });
});
