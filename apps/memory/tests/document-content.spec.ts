import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BootedMemory, bootMemory, type Caller } from './memory-harness.ts';

const PARTS = Array.from(
  { length: 12 },
  (_part, number) =>
    `## Section ${number}\n\nThe valve ${number} opens at ${number + 20} bar. 🚲 It is\nchecked by crew ${number}. ${'Nothing else is known. '.repeat(40)}`,
);
const HANDBOOK = `# Handbook\n\n${PARTS.join('\n\n')}`;

let memory: BootedMemory;
let caller: Caller;
let docId: string;
beforeAll(async () => {
  memory = await bootMemory();
  caller = memory.newCaller();
  [docId] = (await memory.ingest(caller, [
    { content: HANDBOOK, title: 'Handbook' },
    { content: 'Arvenia Ltd was founded in 1931 by Maria Okafor. It makes bells.', title: 'Arvenia' },
  ])) as [string];
});
afterAll(() => memory.close());

const get = (path: string, who: Caller = caller) => memory.call(who, 'GET', `/api/v1/memory/${path}`);
const pressed = (text: string) => text.replace(/\s+/g, ' ');

describe('the content of a document', () => {
  it('is all of its text in order, whatever the size of the pages', async () => {
    const { status, body } = await get(`documents/${docId}/content`);
    expect(status).toBe(200);
    expect(body.chunks.length).toBeGreaterThan(4);
    expect(body).toMatchObject({ doc_id: docId, title: 'Handbook', status: 'completed' });
    const whole = body.chunks.map(({ text }: { text: string }) => text).join('\n');
    const places = PARTS.map((_part, number) => whole.indexOf(`The valve ${number} opens`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThanOrEqual(0);
    const paged: unknown[] = [];
    let cursor = '';
    for (;;) {
      const page = await get(`documents/${docId}/content?max_bytes=3000${cursor}`);
      const bytes = page.body.chunks.map(({ text }: { text: string }) => Buffer.byteLength(text));
      expect(bytes.length === 1 || bytes.reduce((sum: number, each: number) => sum + each, 0) <= 3_000).toBe(true);
      paged.push(...page.body.chunks);
      if (page.body.next_cursor === undefined) break;
      cursor = `&cursor=${page.body.next_cursor}`;
    }
    expect(paged).toEqual(body.chunks);
  });

  it('has at least one chunk a page, however little is asked for', async () => {
    const { body } = await get(`documents/${docId}/content?max_bytes=1`);
    expect(body.chunks).toHaveLength(1);
    expect(body.next_cursor).toBe('0');
  });

  it('says under which headings its text stands', async () => {
    const { body } = await get(`documents/${docId}/content`);
    const [chunk] = body.chunks.filter(({ text }: { text: string }) => text.includes('valve 7 opens'));
    expect(chunk.headings.join(' ')).toContain('Handbook');
    expect(chunk.page).toBeNull();
  });

  it('says where its facts stand', async () => {
    const [arvenia] = (await get('documents?query=arvenia')).body.documents;
    const { body } = await get(`documents/${arvenia.doc_id}/content`);
    const facts = body.chunks.flatMap((chunk: { text: string; facts: { relation: string; span: Span }[] }) =>
      chunk.facts.map(({ relation, span }) => [relation, chunk.text.slice(span.start, span.end)]),
    );
    expect(facts).toContainEqual(['founded_date', expect.stringContaining('1931')]);
  });

  it('is not found in another memory, and not in a space by a key of another', async () => {
    const other = memory.newCaller();
    expect((await get(`documents/${docId}/content`, other)).status).toBe(404);
    expect((await get(`documents/${docId}/content?memory_id=${caller.memoryId}`, other)).status).toBe(404);
    expect((await get('documents/doc_1/content')).status).toBe(404);
    expect((await get(`documents/${docId}/content?cursor=x`)).status).toBe(422);
  });
});

describe('a chunk', () => {
  it('is found by its id, with those beside it', async () => {
    const { chunks } = (await get(`documents/${docId}/content`)).body;
    const { status, body } = await get(`chunks/${chunks[1].chunk_id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...chunks[1],
      doc_id: docId,
      title: 'Handbook',
      vault_id: caller.vaultId,
      source_uri: null,
      occurred_at: null,
      previous_chunk_id: chunks[0].chunk_id,
      next_chunk_id: chunks[2].chunk_id,
    });
    expect((await get(`chunks/${chunks[0].chunk_id}`)).body.previous_chunk_id).toBeNull();
    expect((await get(`chunks/${chunks.at(-1).chunk_id}`)).body.next_chunk_id).toBeNull();
  });

  it('is not found by others', async () => {
    const { chunks } = (await get(`documents/${docId}/content`)).body;
    expect((await get(`chunks/${chunks[0].chunk_id}`, memory.newCaller())).status).toBe(404);
    expect((await get('chunks/chk_1')).status).toBe(404);
  });
});

interface Span {
  start: number;
  end: number;
}

describe('a citation', () => {
  it('says where its words stand in the text of its chunk', async () => {
    for (const query of ['At how many bar does valve 7 open?', 'Who checks valve 3?', 'When was Arvenia founded?']) {
      const { body } = await memory.call(caller, 'POST', '/api/v1/memory/search', { query });
      expect(body.citations.length).toBeGreaterThan(0);
      for (const { chunk_id, snippet, span } of body.citations) {
        const { text } = (await get(`chunks/${chunk_id}`)).body;
        const quoted = pressed(text.slice(span.start, span.end));
        const sentences: string[] = snippet.split(/(?<=\.) /);
        for (const sentence of sentences) expect(quoted).toContain(sentence);
        expect(quoted.startsWith(sentences[0]!) && quoted.endsWith(sentences.at(-1)!)).toBe(true);
      }
    }
  });

  it('is in the end of a stream as in the plain answer, with results and entities', async () => {
    const asked = { query: 'When was Arvenia founded?' };
    const plain = (await memory.call(caller, 'POST', '/api/v1/memory/search', asked)).body;
    const streamed = String((await memory.call(caller, 'POST', '/api/v1/memory/search/stream', asked)).body);
    const done = JSON.parse(/event: done\ndata: (.*)/.exec(streamed)![1]!);
    expect(Object.keys(done).sort()).toEqual(Object.keys(plain).sort());
    expect({ ...done, search_id: '', timing_ms: {} }).toEqual({ ...plain, search_id: '', timing_ms: {} });
    expect(done.results.length).toBeGreaterThan(0);
    expect(done.entities.length).toBeGreaterThan(0);
  });
});
