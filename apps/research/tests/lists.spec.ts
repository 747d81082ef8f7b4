import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { csvCell } from '../src/lists/to-csv.ts';
import { generateBiographies } from './biographies.ts';
import { messagesOf, type ResearchHarness, startResearchHarness } from './research-harness.ts';

let research: ResearchHarness;
beforeAll(async () => {
  research = await startResearchHarness();
  research.stubs.documents.push(...generateBiographies(7).documents, {
    docId: 'doc_formula',
    title: 'Directory',
    text: 'name,job title,city\n=HYPERLINK("http://evil.example") Marlow,Harbour pilot,Emden\n"Nora Quist, Dr.",Harbour pilot,Emden',
  });
});
afterAll(() => research.close());

const PEOPLE = '/api/v1/search/workflow/people/start';
const LISTS = '/api/v1/search/lists';
const id = (kind: string) => expect.stringMatching(new RegExp(`^${kind}_\\w+$`));

async function listOf(prompt: string, more: object = {}): Promise<{ threadId: string; listId: string }> {
  const { body } = await research.call('POST', PEOPLE, { prompt, ...more });
  const status = await research.until(body.thread_id, 'completed');
  return { threadId: body.thread_id, listId: status.list_id };
}

describe('saved lists', () => {
  it('are listed with the fields of the interface, newest first, by name, description, kind and page', async () => {
    const prompts = [
      'Find data scientists in Paris',
      'Find data scientists in Vienna',
      'Find data scientists in Lisbon',
    ];
    const made: { listId: string; threadId: string }[] = [];
    for (const prompt of prompts)
      made.push(
        await listOf(prompt, { list_name: `About ${prompt.split(' ').at(-1)}`, list_description: 'For 100% of us' }),
      );
    const { body } = await research.call('GET', LISTS);
    expect(body).toEqual({ success: true, data: expect.any(Array), total: 3 });
    expect(body.data[0]).toEqual({
      id: made[2]!.listId,
      listName: 'About Lisbon',
      listDescription: 'For 100% of us',
      listStatus: 'ready',
      listType: 'people',
      noOfRecords: expect.any(Number),
      thread_id: made[2]!.threadId,
      created_at: expect.any(String),
    });
    const names = async (query: string) => {
      const answer = await research.call('GET', `${LISTS}?${query}`);
      return [answer.body.data.map(({ listName }: { listName: string }) => listName), answer.body.total];
    };
    expect(await names('page=2&limit=2')).toEqual([['About Paris'], 3]);
    expect(await names('searchTerm=vienna')).toEqual([['About Vienna'], 1]);
    expect(await names('searchTerm=100%25')).toEqual([['About Lisbon', 'About Vienna', 'About Paris'], 3]);
    expect(await names('searchTerm=1_0')).toEqual([[], 0]);
    expect(await names('listType=company')).toEqual([[], 0]);
    expect(await names('listType=web')).toEqual([[], 0]);
  }, 60_000);

  it.each(['page=0', 'limit=0', 'limit=201', 'listType=other', 'searchTerms=x'])('refuse %s', async (query) => {
    expect((await research.call('GET', `${LISTS}?${query}`)).status).toBe(422);
  });

  it('give rows with the evidence of every cell, and both exports', async () => {
    const { listId } = await listOf('Find harbour pilots in Emden');
    const rows = (await research.call('GET', `${LISTS}/${listId}/rows`)).body;
    expect(rows).toEqual({ success: true, data: expect.any(Array), total: 2 });
    expect(rows.data[0]).toEqual({
      row_id: id('row'),
      position: 1,
      name: expect.any(String),
      cells: {
        role: { value: 'Harbour pilot', confidence: 1, evidence: [expect.objectContaining({ title: 'Directory' })] },
        location: { value: 'Emden', confidence: 1, evidence: [expect.objectContaining({ source_id: id('src') })] },
      },
      sources: [{ source_id: id('src'), title: 'Directory', uri: null }],
      created_at: expect.any(String),
    });
    const csv = await research.call('GET', `${LISTS}/${listId}/export`);
    expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="${listId}.csv"`);
    const table = parse(csv.body as string) as string[][];
    expect(table[0]!.toSorted()).toEqual(['location', 'name', 'role', 'sources']);
    // Formulas are stored as text.
    expect(table.slice(1).map(([name]) => name)).toEqual(
      expect.arrayContaining([`'=HYPERLINK("http://evil.example") Marlow`, 'Nora Quist, Dr.']),
    );
    const json = await research.call('GET', `${LISTS}/${listId}/export?format=json`);
    expect(json.body.rows).toEqual(rows.data);
    expect(json.body.list.id).toBe(listId);
  }, 60_000);

  it.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx'])('make a cell that begins with %j inert', (text) => {
    expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
  });

  it.each([',', ';', '\t', '|'])('hold no formula where %j separates cells', (separator) => {
    for (const text of [
      'a;=1+1;b',
      'a\t@SUM(A1)',
      'a,+1',
      'a|-1',
      'a\n=1',
      '"=1',
      'a"; =1',
      ' =1',
      '＝1',
      'a;\u00a0=1',
      "';=1",
    ])
      for (const cell of csvCell(text)
        .split(separator)
        .flatMap((part) => part.split(/[\r\n]/)))
        expect(cell.replace(/^["\s]+/, '')).not.toMatch(/^[=+\-@＝＋－＠]/);
  });

  it('keep ordinary text as it is, quoted', () => {
    expect(csvCell('Zürich, "Kreis" 4')).toBe('"Zürich, ""Kreis"" 4"');
    expect(csvCell('a-b; c=d')).toBe('"a-b; c=d"');
  });
});

describe('a list that is being built', () => {
  it('is stopped with the rows it has, and goes on from them when it is continued', async () => {
    const { body } = await research.call('POST', PEOPLE, {
      prompt: 'Find people with at least 1 year of experience',
      search_mode: 'deep',
      total_target: 150,
    });
    const socket = await research.connect(`https://x/api/v1/search/socket/${body.thread_id}`);
    const rows: string[] = [];
    let stopping: Promise<{ body: object }> | null = null;
    socket.on('message', (bytes) => {
      const { type, data } = JSON.parse((bytes as Buffer).toString()) as { type: string; data: { row_id: string } };
      if (type === 'row.matched') rows.push(data.row_id);
      if (rows.length === 5) stopping ??= research.call('POST', `/api/v1/search/workflow/stop/${body.thread_id}`, {});
    });
    const { messages } = await messagesOf(socket);
    expect(messages.at(-1)).toMatchObject({ type: 'run.cancelled' });
    expect((await stopping!).body).toEqual({
      success: true,
      thread_id: body.thread_id,
      status: 'cancelled',
      message: expect.any(String),
    });
    const { list_id } = (await research.call('GET', `/api/v1/search/workflow/status/${body.thread_id}`)).body;
    const kept = (await research.call('GET', `${LISTS}/${list_id}/rows?limit=200`)).body.data;
    expect(kept.map(({ row_id }: { row_id: string }) => row_id)).toEqual(rows);
    expect((await research.call('GET', `${LISTS}/${list_id}`)).body).toMatchObject({
      listStatus: 'stopped',
      noOfRecords: rows.length,
    });
    const more = { thread_id: body.thread_id, total_target: rows.length + 3 };
    expect((await research.call('POST', '/api/v1/search/workflow/continue', more)).body).toEqual({
      success: true,
      thread_id: body.thread_id,
      status: 'queued',
    });
    await research.until(body.thread_id, 'completed');
    const extended = (await research.call('GET', `${LISTS}/${list_id}/rows?limit=200`)).body.data;
    expect(extended).toHaveLength(rows.length + 3);
    expect(extended.slice(0, rows.length)).toEqual(kept);
  }, 90_000);

  it('takes what came into the memory meanwhile when it is continued', async () => {
    const { threadId, listId } = await listOf('Find lighthouse keepers', { total_target: 50 });
    const count = async () => (await research.call('GET', `${LISTS}/${listId}/rows`)).body.total;
    expect(await count()).toBe(0);
    research.stubs.documents.push({
      docId: 'doc_keeper',
      title: 'Ole Brandt',
      text: 'Ole Brandt is a lighthouse keeper at Nordwind Logistics, based in Emden.',
    });
    const again = { thread_id: threadId, total_target: 20 };
    expect((await research.call('POST', '/api/v1/search/workflow/continue', again)).status).toBe(200);
    await research.until(threadId, 'completed');
    expect(await count()).toBe(1);
  }, 60_000);
});
