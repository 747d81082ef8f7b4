import { describe, expect, it } from '@jest/globals';
import { EXAMPLES } from '@cairn/contracts';
import { Cairn, type IngestDocumentsResponse, type SearchAnswer, type SearchResult } from '@cairn/sdk';
import { generateText, isStepCount } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { cairnTools } from '../src/index.ts';
import { recordedApi } from './recorded-api.ts';

// The ids of the recording, which others replace whenever it is made again.
const { body, answer } = EXAMPLES['searchMemory'] as unknown as {
  body: { memory_id: string };
  answer: SearchAnswer;
};
const { documents } = EXAMPLES['ingestDocuments']!.answer as IngestDocumentsResponse;
const MEMORY = body.memory_id;
const [{ doc_id: DOCUMENT, text: PASSAGE }] = answer.results as [SearchResult];
const CALLS = {
  'POST /api/v1/memory/search': 'searchMemory',
  'POST /api/v1/memory/documents': 'ingestDocuments',
  [`GET /api/v1/memory/documents/${DOCUMENT}/content`]: 'getDocumentContent',
};
const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that calls these tools, one a step, and then says that it is done. */
function scripted(...calls: [toolName: string, input: object][]): MockLanguageModelV4 {
  const steps = calls.map(([toolName, input], index) => ({
    content: [{ type: 'tool-call' as const, toolCallId: `call_${index}`, toolName, input: JSON.stringify(input) }],
    finishReason: { unified: 'tool-calls' as const, raw: undefined },
    usage: USAGE,
    warnings: [],
  }));
  const end = {
    content: [{ type: 'text' as const, text: 'done' }],
    finishReason: { unified: 'stop' as const, raw: undefined },
    usage: USAGE,
    warnings: [],
  };
  return new MockLanguageModelV4({ doGenerate: [...steps, end] });
}

function clientOf(api: { fetch: typeof fetch }): Cairn {
  return new Cairn({ baseUrl: 'http://cairn.example', apiKey: 'ck_test_1', maxRetries: 0, fetch: api.fetch });
}

const run = async (model: MockLanguageModelV4, tools: ReturnType<typeof cairnTools>) =>
  generateText({ model, tools, prompt: 'What did the walker see?', stopWhen: isStepCount(5) });

describe('a model of the AI SDK', () => {
  it('searches, reads the document that it found, and answers', async () => {
    const api = recordedApi(CALLS);
    const model = scripted(
      ['search_memory', { question: 'What did the walker see?' }],
      ['read_document', { doc_id: DOCUMENT }],
    );
    const { steps, text } = await run(model, cairnTools({ client: clientOf(api), memory: MEMORY }));
    expect(text).toBe('done');
    expect(api.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/v1/memory/search',
      `GET /api/v1/memory/documents/${DOCUMENT}/content`,
    ]);
    expect(api.asked[0]!.body).toMatchObject({ query: 'What did the walker see?', memory_id: MEMORY });
    expect(steps[0]!.toolResults[0]!.output).toMatchObject({
      passages: [{ doc_id: DOCUMENT, text: PASSAGE }],
    });
    expect(JSON.stringify(model.doGenerateCalls[2]!.prompt)).toContain(JSON.stringify(PASSAGE));
  });

  it('is offered writing and research only where they were asked for', async () => {
    const options = { client: clientOf(recordedApi(CALLS)), memory: MEMORY };
    const reading = ['search_memory', 'list_documents', 'read_document'];
    const model = scripted();
    await run(model, cairnTools(options));
    expect(model.doGenerateCalls[0]!.tools!.map(({ name }) => name)).toEqual(reading);
    expect(Object.keys(cairnTools({ ...options, writes: true }))).toEqual([...reading, 'remember']);
    const research = ['start_research', 'read_research'];
    expect(Object.keys(cairnTools({ ...options, research: true }))).toEqual([...reading, ...research]);
  });

  it('cannot name a memory of its own, and gets what it did wrong as an error of the tool', async () => {
    const api = recordedApi(CALLS);
    const model = scripted(
      ['search_memory', { question: 'What?', memory_id: 'mem_other' }],
      ['read_document', { doc_id: 'doc_unknown' }],
    );
    const { steps } = await run(model, cairnTools({ client: clientOf(api), memory: MEMORY }));
    expect(api.asked.map(({ path }) => path)).toEqual(['/api/v1/memory/documents/doc_unknown/content']);
    const said = steps.slice(0, 2).map(({ content }) => String((content.at(-1) as { error: unknown }).error));
    expect(said[0]).toContain("'memory_id' is not a parameter");
    expect(said[1]).toContain('there is no such document');
  });

  it('remembers a text in the space that the tools are of', async () => {
    const api = recordedApi(CALLS);
    const client = clientOf(api);
    const tools = cairnTools({ client, memory: MEMORY, space: 'spc_1', writes: true });
    const model = scripted(['remember', { text: 'The heron left on 3 October.' }]);
    const { steps } = await generateText({ model, tools, prompt: 'Remember it.', stopWhen: isStepCount(3) });
    const content = 'The heron left on 3 October.';
    expect(api.asked[0]!.body).toEqual({ content, memory_id: MEMORY, space_id: 'spc_1' });
    expect(steps[0]!.toolResults[0]!.output).toEqual({ doc_id: documents[0]!.doc_id, status: documents[0]!.status });
  });
});
