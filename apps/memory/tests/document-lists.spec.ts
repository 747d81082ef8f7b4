import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { eventually } from '@cairn/testing';
import { SCANNED_DOCUMENTS_MAX } from '../src/documents/list-document-rows.ts';
import { ended, found, jobDone, takenIn } from './ingestion/take-in.ts';
import { type BootedMemory, bootMemory, type Caller, type StandInSpace } from './memory-harness.ts';

let memory: BootedMemory;
let caller: Caller;
let space: StandInSpace;
let ids: string[];
beforeAll(async () => {
  memory = await bootMemory();
  caller = memory.newCaller();
  space = memory.newSpace(caller);
  ids = [];
  for (const document of [
    { content: 'The ferry sails at noon.', title: 'Ferry 100% late', external_id: 'crm-1' },
    { content: 'The harbour has a keeper.', title: 'Harbour', external_id: 'wiki_2' },
    { content: '# Canteen\n\nSoup on Thursdays.', title: 'Canteen', space_id: space.spaceId },
  ])
    ids.push(...(await memory.ingest(caller, [document])));
  await memory.call(caller, 'POST', '/api/v1/memory/documents', { content: '   ', title: 'Blank' });
  await untilFailed();
});
afterAll(() => memory.close());

const list = (query: string, who: Caller = caller) => memory.call(who, 'GET', `/api/v1/memory/documents?${query}`);
const titles = async (query: string) =>
  (await list(query)).body.documents.map(({ title }: { title: string }) => title) as string[];
const stats = (query = '', who: Caller = caller) => memory.call(who, 'GET', `/api/v1/memory/documents/stats${query}`);

const runAs = (who: Caller, text: string, values: unknown[]) =>
  memory.database.app.withTenant(who.identity.tenantId, (tx) => tx.execute(text, values));

async function untilFailed(): Promise<void> {
  while ((await list('status=failed')).body.documents.length === 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('a list of documents', () => {
  it('has one status or several', async () => {
    expect(await titles('status=completed')).toHaveLength(3);
    expect(await titles('status=failed')).toEqual(['Blank']);
    expect(await titles('status=failed,completed')).toHaveLength(4);
    expect((await list('status=failed,lost')).status).toBe(422);
  });

  it('finds parts of titles and external ids as they are written, whatever their case', async () => {
    expect(await titles('query=HARB')).toEqual(['Harbour']);
    expect(await titles('query=crm-')).toEqual(['Ferry 100% late']);
    expect(await titles('query=100%25')).toEqual(['Ferry 100% late']);
    expect(await titles('query=i_2')).toEqual(['Harbour']);
    expect(await titles('query=r_m')).toEqual([]);
  });

  it('is in either order, page by page, without gap or repeat', async () => {
    const oldest = await titles('sort=oldest');
    for (const [sort, expected] of [
      ['oldest', oldest],
      ['newest', oldest.toReversed()],
    ] as const) {
      const paged: string[] = [];
      let cursor = '';
      do {
        const { body } = await list(`sort=${sort}&limit=2${cursor}`);
        paged.push(...body.documents.map(({ title }: { title: string }) => title));
        cursor = body.next_cursor === undefined ? '' : `&cursor=${body.next_cursor}`;
      } while (cursor !== '');
      expect(paged).toEqual(expected);
    }
  });

  it('goes on behind the documents that one page looks at', async () => {
    const crowd = memory.newCaller();
    const [first] = await memory.ingest(crowd, [{ content: 'A needle.', title: 'Needle' }]);
    await runAs(
      crowd,
      `INSERT INTO documents (tenant_id, memory_id, doc_id, workspace_id, livemode, vault_id, title, media_type, content_sha256, content_bytes, status)
       SELECT tenant_id, memory_id, 'doc_z' || translate(lpad(place::text, 8, '0'), '0', 'A'), workspace_id, livemode, vault_id, 'Straw', media_type, sha256(place::text::bytea), 1, 'completed'
         FROM documents, generate_series(1, $2::int) AS place WHERE doc_id = $1`,
      [first, SCANNED_DOCUMENTS_MAX],
    );
    const page = (await list('query=needle&sort=newest&limit=10', crowd)).body;
    expect(page).toEqual({ documents: [], next_cursor: expect.stringMatching(/^doc_/) });
    const next = (await list(`query=needle&sort=newest&limit=10&cursor=${page.next_cursor}`, crowd)).body;
    expect(next.documents.map(({ title }: { title: string }) => title)).toEqual(['Needle']);
    expect(next.next_cursor).toBeUndefined();
  });
});

describe('the statistics of documents', () => {
  it('count by status, error, space and format', async () => {
    const { status, body } = await stats();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      memory_id: caller.memoryId,
      total: 4,
      by_status: [
        { status: 'completed', documents: 3 },
        { status: 'failed', documents: 1 },
      ],
      by_error: [{ code: 'empty_document', documents: 1 }],
      by_space: [
        { space_id: null, documents: 3 },
        { space_id: space.spaceId, documents: 1 },
      ],
      oldest_waiting_at: null,
      completed_last_hour: 3,
    });
    const formats: { documents: number }[] = body.by_media_type;
    expect(formats.reduce((sum, { documents }) => sum + documents, 0)).toBe(4);
  });

  it('are those of a space where one is named', async () => {
    expect((await stats(`?space_id=${space.spaceId}`)).body).toMatchObject({ total: 1, completed_last_hour: 1 });
  });

  it('say since when the oldest document has been waiting', async () => {
    const waiting = memory.newCaller();
    const [docId] = await memory.ingest(waiting, [{ content: 'It waits.' }]);
    await runAs(
      waiting,
      `INSERT INTO ingest_queue (tenant_id, memory_id, doc_id, queued_at, due_at)
       VALUES ($1, $2, $3, '2026-01-02T03:04:05Z', now() + interval '1 day')`,
      [waiting.identity.tenantId, waiting.memoryId, docId],
    );
    expect((await stats('', waiting)).body.oldest_waiting_at).toBe('2026-01-02T03:04:05.000Z');
  });

  it('are not those of another memory', async () => {
    const other = memory.newCaller();
    expect((await stats('', other)).body).toMatchObject({ total: 0, by_status: [], completed_last_hour: 0 });
    expect((await stats(`?memory_id=${caller.memoryId}`, other)).status).toBe(404);
  });
});

describe('a job over documents', () => {
  const start = (who: Caller, kind: string, body: unknown, key?: string) =>
    memory.call(
      who,
      'POST',
      `/api/v1/memory/documents/${kind}`,
      body,
      key === undefined ? {} : { 'idempotency-key': key },
    );
  const titlesOf = async (who: Caller) =>
    (await list('sort=oldest', who)).body.documents.map(({ title }: { title: string }) => title) as string[];

  it('deletes what its filter matches, step by step, and nothing else; counted before, once for each key', async () => {
    const many = memory.newCaller();
    const documents = Array.from({ length: 120 }, (_, at) => ({
      content: `Parcel ${at} of ${at % 2 === 0 ? 'glass' : 'straw'}.`,
      title: `${at % 2 === 0 ? 'Glass' : 'Straw'} ${at}`,
    }));
    await memory.ingest(many, documents.slice(0, 100));
    await memory.ingest(many, documents.slice(100));
    const filter = { query: 'glass' };
    const dry = await start(many, 'delete', { filter, dry_run: true });
    expect([dry.status, dry.body]).toEqual([202, { documents: 60, job: null }]);
    expect(await titlesOf(many)).toHaveLength(120);
    const [first, repeated] = [
      await start(many, 'delete', { filter }, 'once'),
      await start(many, 'delete', { filter }, 'once'),
    ];
    expect(repeated.body.job.job_id).toBe(first.body.job.job_id);
    const job = await jobDone(memory, many, 'delete', { filter: { query: 'no such thing' } });
    expect(job).toMatchObject({ documents: 0, done: 0, failed: 0, status: 'completed' });
    const { body } = await eventually(
      () => memory.call(many, 'GET', `/api/v1/memory/jobs/${first.body.job.job_id}`),
      (answer) => answer.body.status === 'completed',
    );
    expect(body).toMatchObject({ kind: 'delete', documents: 60, done: 60, failed: 0, problems: [] });
    expect((await titlesOf(many)).every((title) => title.startsWith('Straw'))).toBe(true);
    expect(await titlesOf(many)).toHaveLength(60);
    expect(await found(memory, many, 'glass')).toEqual([]);
    expect((await found(memory, many, 'straw')).length).toBeGreaterThan(0);
  });

  it('says of which documents it could not do anything, and why', async () => {
    const [who, stranger] = [memory.newCaller(), memory.newCaller()];
    const [own] = await memory.ingest(who, [{ content: 'Mine.' }]);
    const [foreign] = await memory.ingest(stranger, [{ content: 'Not theirs.' }]);
    const [empty] = await takenIn(memory, who, [{ content: '   ' }]);
    const lost = newId('document');
    const retried = await jobDone(memory, who, 'retry', { doc_ids: [own, foreign, lost, empty.doc_id] });
    expect(retried).toMatchObject({ documents: 1, done: 1, failed: 3 });
    const codes = (job: { problems: { doc_id: string; code: string }[] }) =>
      Object.fromEntries(job.problems.map(({ doc_id, code }) => [doc_id, code]));
    expect(codes(retried)).toEqual({ [own!]: 'not_failed', [foreign!]: 'not_found', [lost]: 'not_found' });
    // The same content fails the same way, and is kept again.
    expect(await ended(memory, who, empty.doc_id)).toMatchObject({
      status: 'failed',
      error: { code: 'empty_document' },
    });
    await runAs(who, 'UPDATE failed_content SET keep_until = now() WHERE doc_id = $1', [empty.doc_id]);
    expect(codes(await jobDone(memory, who, 'retry', { filter: { query: 'untitled' } }))).toEqual({
      [empty.doc_id]: 'content_not_kept',
    });
    const deleted = await jobDone(memory, who, 'delete', { doc_ids: [own, foreign] });
    expect([deleted.done, codes(deleted)]).toEqual([1, { [foreign!]: 'not_found' }]);
    expect(await titlesOf(stranger)).toHaveLength(1);
  });

  it('queues of two failed documents with the same content one, and links what only has to be linked', async () => {
    const who = memory.newCaller();
    const [docId, twin] = await memory.ingest(who, [{ content: 'Helmbrook Dairy.' }, { content: 'Another text.' }]);
    const fail = `UPDATE documents SET status = 'failed', error_code = 'linking_failed', error_message = '',
      content_sha256 = '\\x00' WHERE doc_id = $1`;
    const keep = `INSERT INTO failed_content (tenant_id, memory_id, doc_id, bytes, lane)
      SELECT tenant_id, memory_id, doc_id, 0, 0 FROM documents WHERE doc_id = $1`;
    for (const each of [docId, twin]) for (const text of [fail, keep]) await runAs(who, text, [each]);
    const job = await jobDone(memory, who, 'retry', { filter: { query: 'e' } });
    expect([job.done, job.problems]).toMatchObject([1, [{ doc_id: twin, code: 'duplicate' }]]);
    expect(await ended(memory, who, docId!)).toMatchObject({ status: 'completed', error: null });
  });

  it('is one of its space where a space is named, and is not shown to others', async () => {
    const who = memory.newCaller();
    const [room, other] = [memory.newSpace(who), memory.newSpace(who)];
    await memory.ingest(who, [{ content: 'Inside.', space_id: room.spaceId }, { content: 'Outside.' }]);
    const job = await jobDone(memory, who, 'delete', { filter: { space_id: room.spaceId } });
    expect(job).toMatchObject({ documents: 1, done: 1 });
    expect(await titlesOf(who)).toEqual(['Outside.']);
    const bound = (spaceId: string) => ({ ...who, identity: { ...who.identity, memoryId: who.memoryId, spaceId } });
    const path = `/api/v1/memory/jobs/${job.job_id}`;
    expect((await memory.call(bound(room.spaceId), 'GET', path)).status).toBe(200);
    expect((await memory.call(bound(other.spaceId), 'GET', path)).status).toBe(404);
    expect((await memory.call(memory.newCaller(), 'GET', path)).status).toBe(404);
    const whole = await jobDone(memory, who, 'delete', { filter: { query: 'no such thing' } });
    const listed = async (as: Caller, query = '') => {
      const { body } = await memory.call(as, 'GET', `/api/v1/memory/jobs${query}`);
      return body.jobs.map(({ job_id }: { job_id: string }) => job_id);
    };
    expect(await listed(who)).toEqual([whole.job_id, job.job_id]);
    expect(await listed(bound(room.spaceId))).toEqual([job.job_id]);
    expect(await listed(bound(other.spaceId))).toEqual([]);
    expect(await listed(memory.newCaller())).toEqual([]);
    expect(await listed(who, '?kind=retry')).toEqual([]);
    expect(await listed(who, '?status=running')).toEqual([]);
    const first = await memory.call(who, 'GET', '/api/v1/memory/jobs?limit=1&status=completed');
    expect(await listed(who, `?limit=1&cursor=${first.body.next_cursor}`)).toEqual([job.job_id]);
    const outside = (await list('sort=oldest', who)).body.documents[0].doc_id;
    expect(await jobDone(memory, bound(other.spaceId), 'delete', { doc_ids: [outside] })).toMatchObject({
      done: 0,
      failed: 1,
    });
  });

  it.each([
    ['nothing to go by', {}],
    ['a filter without a condition', { filter: {} }],
    ['both', { doc_ids: [newId('document')], filter: { query: 'x' } }],
    ['what is no id', { doc_ids: ['nonsense'] }],
    ['too many ids', { doc_ids: Array.from({ length: 1_001 }, () => newId('document')) }],
  ])('is refused with %s', async (_case, body) => {
    expect((await start(memory.newCaller(), 'delete', body)).status).toBe(422);
    expect((await start(memory.newCaller(), 'retry', body)).status).toBe(422);
  });
});
