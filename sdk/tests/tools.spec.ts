import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cairn } from '../src/index.ts';
import { memoryTools } from '../src/tools.ts';
import { answer, type MisbehavingServer, startMisbehavingServer } from './misbehaving-server.ts';

let server: MisbehavingServer;
let client: Cairn;

beforeAll(async () => {
  server = await startMisbehavingServer();
  client = new Cairn({ baseUrl: server.baseUrl, apiKey: 'ck_test_1' });
});
afterAll(() => server.close());

const paths = () => server.seen.map(({ path }) => path);

describe('the tools of one space', () => {
  it('read no document of another space of the memory', async () => {
    server.behave(answer({ doc_id: 'doc_1', space_id: 'spc_2' }));
    const { read_document } = memoryTools({ client, memory: 'mem_1', space: 'spc_1' });
    await expect(read_document.run({ doc_id: 'doc_1' })).rejects.toThrow('no document doc_1 in this space');
    expect(paths()).toEqual(['/api/v1/memory/documents/doc_1?memory_id=mem_1']);
  });

  it('list and search no other space', async () => {
    const { list_documents, search_memory } = memoryTools({ client, memory: 'mem_1', space: 'spc_1' });
    server.behave(answer({ documents: [] }));
    expect(await list_documents.run({ containing: 'heron' })).toEqual({ documents: [] });
    expect(paths()[0]).toContain('space_id=spc_1&query=heron');
    server.behave(answer({ answer: 'A heron [1].', confidence: 1, citations: [], results: [] }));
    await search_memory.run({ question: 'What?' });
    expect(JSON.parse(server.seen[0]!.body)).toMatchObject({ memory_id: 'mem_1', space_id: 'spc_1' });
  });

  it('start no research, which reads the whole memory', () => {
    const options = { client, memory: 'mem_1', space: 'spc_1', research: true };
    expect(() => memoryTools(options)).toThrow('not one space');
  });
});

describe('a tool', () => {
  it('reads a long document page by page', async () => {
    const chunks = [{ text: 'One.' }, { text: 'Two.' }];
    server.behave(answer({ title: 'Long', chunks, next_cursor: 'c2' }), answer({ title: 'Long', chunks: [] }));
    const { read_document } = memoryTools({ client, memory: 'mem_1' });
    const first = await read_document.run({ doc_id: 'doc_1' });
    expect(first).toEqual({ doc_id: 'doc_1', title: 'Long', text: 'One.\n\nTwo.', next_cursor: 'c2' });
    expect(await read_document.run({ doc_id: 'doc_1', cursor: 'c2' })).toEqual({
      doc_id: 'doc_1',
      title: 'Long',
      text: '',
    });
    expect(paths()[1]).toContain('cursor=c2');
  });

  it('starts research over its memory and reads the report of a completed run, of no other memory', async () => {
    const { start_research, read_research } = memoryTools({ client, memory: 'mem_1', research: true });
    server.behave(answer({ thread_id: 'thr_1', status: 'queued' }));
    expect(await start_research.run({ question: 'What?' })).toEqual({ thread_id: 'thr_1', status: 'queued' });
    expect(JSON.parse(server.seen[0]!.body)).toEqual({ query: 'What?', memory_id: 'mem_1' });
    const run = { memory_id: 'mem_1', progress: { percent: 40 }, final_report: '' };
    server.behave(
      answer({ ...run, status: 'running' }),
      answer({ ...run, status: 'completed', final_report: '# Report' }),
      answer({ ...run, status: 'completed', memory_id: 'mem_2' }),
    );
    expect(await read_research.run({ thread_id: 'thr_1' })).toMatchObject({ status: 'running', report: null });
    expect(await read_research.run({ thread_id: 'thr_1' })).toMatchObject({ report: '# Report' });
    await expect(read_research.run({ thread_id: 'thr_1' })).rejects.toThrow('no run thr_1 of this memory');
  });

  it('refuses what a model gives it wrongly, before anything is asked', async () => {
    server.behave(answer({}));
    const { search_memory } = memoryTools({ client, memory: 'mem_1' });
    const wrong: [unknown, string][] = [
      [null, 'expected an object'],
      [{}, "'question' is missing"],
      [{ question: 7 }, "'question' has to be a text"],
      [{ question: 'What?', memory_id: 'mem_2' }, "'memory_id' is not a parameter"],
      [{ question: 'What?', toString: 'x' }, "'toString' is not a parameter"],
    ];
    for (const [input, message] of wrong) expect(() => search_memory.check(input)).toThrow(message);
    await expect(search_memory.run({ question: '' })).rejects.toThrow("'question' is missing");
    expect(server.seen).toEqual([]);
  });
});
