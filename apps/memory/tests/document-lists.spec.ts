import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOOKED_AT_MAX } from '../src/documents/list-document-rows.ts';
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
      [first, LOOKED_AT_MAX],
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
