import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Cairn, type SearchAnswer } from '@cairn/sdk';
import { AIMessage, createAgent, fakeModel } from 'langchain';
import { cairnTools, CairnRetriever } from '../src/index.ts';

const PASSAGE = {
  doc_id: 'doc_1',
  chunk_id: 'chk_1',
  title: 'Walks',
  source_uri: null,
  occurred_at: null,
};
const ANSWER: SearchAnswer = {
  search_id: 'srch_1',
  answer: 'The walker saw a heron [1].',
  generated: false,
  citations: [
    { ...PASSAGE, citation_id: 'cit_1', snippet: 'The walker saw a heron.', span: { start: 0, end: 23 }, score: 0.9 },
  ],
  results: [
    { ...PASSAGE, text: 'The walker saw a heron. It rained.', score: 0.9, vault_id: 'vlt_1', location: {} },
    { ...PASSAGE, chunk_id: 'chk_2', text: 'The pond is old.', score: 0.4, vault_id: 'vlt_1', location: {} },
  ],
  entities: [],
  contradictions: [],
  suggested_followups: [],
  confidence: 0.9,
  fallback: null,
  thread_id: null,
  timing_ms: {},
};
const CONTENT = { doc_id: 'doc_1', title: 'Walks', chunks: [{ text: 'The walker saw a heron. It rained.' }] };

function fakeApi(): { client: Cairn; asked: { path: string; body: unknown }[] } {
  const asked: { path: string; body: unknown }[] = [];
  const answers: Record<string, object> = {
    '/api/v1/memory/search': ANSWER,
    '/api/v1/memory/documents/doc_1/content': CONTENT,
  };
  const answer: typeof fetch = async (url, init) => {
    const { pathname } = new URL(String(url));
    asked.push({ path: pathname, body: init?.body === undefined ? null : JSON.parse(String(init.body)) });
    const found = answers[pathname];
    const problem = { status: 404, code: 'not_found', title: 'Not found', detail: 'no such document', request_id: 'r' };
    return found === undefined ? Response.json(problem, { status: 404 }) : Response.json(found);
  };
  return { asked, client: new Cairn({ baseUrl: 'http://cairn.example', apiKey: 'ck_test_1', fetch: answer }) };
}

describe('the retriever', () => {
  it('returns passages with where they are from, and the span that the answer cites', async () => {
    const { client, asked } = fakeApi();
    const retriever = new CairnRetriever({ client, memory: 'mem_1', space: 'spc_1', topK: 2 });
    const found = await retriever.invoke('What did the walker see?');
    assert.deepEqual(asked[0]?.body, {
      query: 'What did the walker see?',
      memory_id: 'mem_1',
      space_id: 'spc_1',
      top_k: 2,
    });
    assert.deepEqual(
      found.map(({ id, pageContent, metadata }) => ({ id, pageContent, metadata })),
      [
        {
          id: 'chk_1',
          pageContent: 'The walker saw a heron. It rained.',
          metadata: { ...PASSAGE, score: 0.9, span: { start: 0, end: 23 } },
        },
        {
          id: 'chk_2',
          pageContent: 'The pond is old.',
          metadata: { ...PASSAGE, chunk_id: 'chk_2', score: 0.4, span: null },
        },
      ],
    );
  });
});

describe('an agent of LangChain', () => {
  it('searches, reads the document that it found, and answers', async () => {
    const { client, asked } = fakeApi();
    const model = fakeModel()
      .respondWithTools([{ name: 'search_memory', args: { question: 'What did the walker see?' }, id: 'call_1' }])
      .respondWithTools([{ name: 'read_document', args: { doc_id: 'doc_1' }, id: 'call_2' }])
      .respond(new AIMessage('A heron.'));
    const agent = createAgent({ model, tools: cairnTools({ client, memory: 'mem_1' }) });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'What did the walker see?' }] });
    assert.deepEqual(
      asked.map(({ path }) => path),
      ['/api/v1/memory/search', '/api/v1/memory/documents/doc_1/content'],
    );
    assert.match(String(messages[2]?.content), /The walker saw a heron \[1\]/);
    assert.match(String(messages[4]?.content), /It rained/);
    assert.equal(messages.at(-1)?.content, 'A heron.');
  });

  it('cannot name a memory of its own', async () => {
    const { client, asked } = fakeApi();
    const [search] = cairnTools({ client, memory: 'mem_1' });
    await assert.rejects(async () => search!.invoke({ question: 'What?', memory_id: 'mem_2' }));
    assert.deepEqual(asked, []);
  });
});
