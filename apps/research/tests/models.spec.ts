import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeEvent } from '@cairn/contracts';
import { createModels, readModelsConfig } from '@cairn/llm';
import { createOutbound } from '@cairn/outbound';
import { eventually, type ModelReply, type ModelServer, startModelServer } from '@cairn/testing';
import { LeaseLostError } from '@cairn/work-queue';
import { createRunContext } from '../src/ledger/run-context.ts';
import type { RunRow } from '../src/ledger/run.ts';
import type { ModelDeps } from '../src/steps/ask-model.ts';
import { generateReport } from '../src/steps/generate-report.ts';
import { checkReport } from './report-checker.ts';
import { type ResearchHarness, startResearchHarness } from './research-harness.ts';

const CALL_TIMEOUT_MS = 5_000;
let research: ResearchHarness;
let server: ModelServer;
let folder: string;

beforeAll(async () => {
  server = await startModelServer();
  folder = await mkdtemp(join(tmpdir(), 'cairn-models-'));
  const modelsFile = join(folder, 'models.json');
  const providers = [
    { name: 'local', protocol: 'openai-compatible', base_url: server.baseUrl, api_key: 'model-server-key' },
  ];
  await writeFile(
    modelsFile,
    JSON.stringify({
      providers,
      language_models: [
        { name: 'local-large', provider: 'local' },
        { name: 'without-price', provider: 'local' },
      ],
    }),
  );
  research = await startResearchHarness({ modelsFile, modelCallTimeoutMs: CALL_TIMEOUT_MS });
  research.stubs.documents.push({
    docId: 'doc_leave',
    title: 'Leave policy',
    text: 'Everybody has 30 days of paid leave each year. Leave is asked for two weeks before it begins. Unused leave ends on 31 March.',
  });
});
afterAll(async () => {
  await research.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  server.calls.length = 0;
});

const json = (value: unknown): ModelReply => ({ kind: 'text', pieces: [JSON.stringify(value)] });
const query = 'How many days of paid leave does everybody have, and when must leave be asked for?';

async function run(more: { llm_model?: string; config?: object } = {}) {
  const { body } = await research.call('POST', '/api/v1/search/research/start', {
    query,
    llm_model: more.llm_model ?? 'local-large',
    config: { sources: ['memory'], ...more.config },
  });
  const status = await research.until(body.thread_id, 'completed', 'failed');
  const rows = await research.ask<{ source_id: string; body: string }>(
    'SELECT source_id, body FROM sources WHERE run_id = $1',
    [body.thread_id],
  );
  const checked = checkReport({
    report: status.final_report,
    citations: status.citations,
    sources: new Map(rows.map((row) => [row.source_id, row.body])),
  });
  const metered = await research.ask<{ payload: Buffer }>('SELECT payload FROM outbox');
  return {
    threadId: body.thread_id as string,
    status,
    checked,
    metered: metered.map(({ payload }) => decodeEvent(payload)),
  };
}

describe('a run with a model', () => {
  it('uses its plan and its report, but no sentence that the findings do not support', async () => {
    server.replyWith((call) => {
      const text = call.body.messages?.map(({ content }) => content).join('\n') ?? '';
      if (!text.includes('Findings:'))
        return json({
          questions: ['How many days of paid leave does everybody have each year?', 'When is leave asked for?'],
        });
      const number = (words: string) => Number(new RegExp(`\\[(\\d+)\\][^\\n]*${words}`).exec(text)?.[1]);
      return json({
        sections: [
          {
            heading: 'Paid leave',
            sentences: [
              { text: 'Everybody has 30 days of paid leave.', findings: [number('30 days')] },
              { text: 'Everybody has 45 days of paid leave.', findings: [number('30 days')] },
              { text: 'The chief executive decides.', findings: [99] },
            ],
          },
        ],
      });
    });
    const { status, checked, metered, threadId } = await run();
    expect(status).toMatchObject({ status: 'completed', generated: true });
    expect(status.final_report).toContain('- Everybody has 30 days of paid leave. [1]');
    expect(status.final_report).not.toMatch(/45|chief/);
    expect(checked.faults).toEqual([]);
    expect(status.cost).toMatchObject({ input_tokens: 200, output_tokens: 40 });
    const calls = metered.flatMap(({ payload }) =>
      payload.case === 'llmUsage' && payload.value.runId === threadId ? [payload.value] : [],
    );
    expect(calls.map(({ purpose, inputTokens }) => [purpose, inputTokens])).toEqual([
      ['plan', 100n],
      ['report', 100n],
    ]);
  }, 90_000);

  it('shows no heading, question or link that a steered model brought in', async () => {
    const insolvent = 'Norda Systems is insolvent, wire refunds to IBAN XX00 - see <img src=https://evil.example/?q=1>';
    server.replyWith((call) => {
      const text = call.body.messages?.map(({ content }) => content).join('\n') ?? '';
      if (!text.includes('Findings:'))
        return json({
          questions: [
            insolvent,
            'How many days of paid leave does [everybody](//evil.example/plan) have, says Norda?',
            'How many days of paid leave does everybody have? ![x](//evil.example/plan)',
          ],
        });
      const number = (words: string) => Number(new RegExp(`\\[(\\d+)\\][^\\n]*${words}`).exec(text)?.[1]);
      return json({
        sections: [
          {
            heading: insolvent,
            sentences: [
              { text: '[Everybody](//evil.example/q) has 30 days of paid leave.', findings: [number('30 days')] },
              {
                text: 'Everybody has ![leave](https:/evil.example/q) leave <img src=//evil.example>.',
                findings: [number('30 days')],
              },
            ],
          },
        ],
      });
    });
    const { status, checked, threadId } = await run();
    expect(status).toMatchObject({ status: 'completed', generated: true });
    expect(status.final_report).toContain('- Everybody has 30 days of paid leave. [1]');
    expect(checked.faults).toEqual([]);
    const published = JSON.stringify([status.final_report, status.research_brief, await research.events(threadId)]);
    expect(published).not.toMatch(/evil|insolvent|IBAN|Norda|<img/);
  }, 90_000);

  it.each<[string, ModelReply]>([
    ['refuses', { kind: 'refusal', text: 'I would rather not.' }],
    ['gives no object', { kind: 'text', pieces: ['Of course! Here is what I think.'] }],
    ['calls a tool that does not exist', { kind: 'tools', calls: [{ name: 'no_such_tool', input: '{' }] }],
    ['answers with something else', { kind: 'malformed', pieces: [] }],
    ['breaks off', { kind: 'breaks', pieces: [] }],
    ['rejects the key', { kind: 'status', status: 401 }],
    ['says nothing', { kind: 'stalls', pieces: [] }],
  ])(
    'that %s is completed without it, and says so',
    async (_name, reply) => {
      server.replyWith(reply);
      const { status, checked, threadId } = await run();
      expect(status).toMatchObject({ status: 'completed', generated: false });
      expect(status.final_report).toContain('Everybody has 30 days of paid leave each year. [');
      expect(checked.faults).toEqual([]);
      expect(server.calls.length).toBeGreaterThan(0);
      const notes = (await research.events(threadId)).flatMap(({ data }) => data.note ?? []);
      expect(notes).toHaveLength(2);
    },
    90_000,
  );

  it.each<[string, string, object]>([
    // Each call returns 20 tokens, at a thousandth of a dollar each.
    ['cost', 'local-large', { max_cost_usd: 0.01 }],
    ['cost, where nobody knows the price', 'without-price', { max_cost_usd: 1_000 }],
    ['tokens', 'local-large', { max_tokens: 100 }],
  ])(
    'stops asking it when its %s are used up',
    async (_what, llm_model, config) => {
      server.replyWith(json({ questions: ['How many days of paid leave does everybody have each year?'] }));
      const { status, checked, threadId } = await run({ llm_model, config });
      expect(status).toMatchObject({ status: 'completed', generated: false });
      expect(checked.faults).toEqual([]);
      expect(status.final_report).toContain('Everybody has 30 days of paid leave each year. [');
      expect(server.calls).toHaveLength(1);
      const warnings = (await research.events(threadId)).filter(({ type }) => type === 'budget.warning');
      expect(warnings.map(({ data }) => data.stopped)).toContain(true);
    },
    90_000,
  );

  it('goes on asking it while its cost is within bounds', async () => {
    server.replyWith(json({ questions: ['How many days of paid leave does everybody have each year?'] }));
    await run({ config: { max_cost_usd: 10 } });
    expect(server.calls.length).toBeGreaterThan(1);
  }, 90_000);

  it('is stopped in the middle of a call, which is ended', async () => {
    server.replyWith({ kind: 'stalls', pieces: [] });
    const { body } = await research.call('POST', '/api/v1/search/research/start', {
      query,
      llm_model: 'local-large',
      config: { sources: ['memory'] },
    });
    await eventually(() => server.calls.length > 0, Boolean, 60_000);
    const stopped = await research.call('POST', `/api/v1/search/workflow/stop/${body.thread_id}`, {});
    expect(stopped.body.status).toBe('cancelled');
    await eventually(() => server.calls[0]!.aborted, Boolean, 60_000);
    expect((await research.events(body.thread_id)).at(-1)?.type).toBe('run.cancelled');
  }, 90_000);

  it('is stopped while the draft of its report is checked, which is metered all the same', async () => {
    server.replyWith((call) =>
      JSON.stringify(call.body.messages).includes('Findings:')
        ? json({ sections: [{ heading: 'Leave', sentences: [{ text: 'There is paid leave.', findings: [1] }] }] })
        : json({ questions: ['How many days of paid leave does everybody have each year?'] }),
    );
    const { threadId } = await run();
    const drafts = async () =>
      (await research.ask<{ payload: Buffer }>('SELECT payload FROM outbox')).filter(({ payload: bytes }) => {
        const { payload } = decodeEvent(bytes);
        return payload.case === 'llmUsage' && payload.value.runId === threadId && payload.value.purpose === 'report';
      }).length;
    const before = await drafts();
    const [row] = await research.ask<RunRow>('SELECT * FROM runs WHERE run_id = $1', [threadId]);
    const stop = new AbortController();
    const context = createRunContext(research.database.worker, row!, new Map(), stop.signal);
    // As the workers do: a task ends with the run.
    const text = {
      async run(_tenantId: string, _task: unknown, name: string) {
        if (name === 'checkDraft') stop.abort(new LeaseLostError());
        stop.signal.throwIfAborted();
        return { markdown: '', sections: [], citations: [] };
      },
    };
    const outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'spec' });
    const models = createModels({
      config: await readModelsConfig(join(folder, 'models.json')),
      providerKeys: () => Promise.resolve(null),
      meter: () => Promise.reject(new Error('the step records what it uses')),
      outbound: { trusted: outbound, untrusted: outbound },
    });
    const deps = { database: research.database.worker, text, models, modelCallTimeoutMs: CALL_TIMEOUT_MS };
    const report = { title: 'Leave', asked: query, topics: [query] };
    await expect(generateReport(deps as unknown as ModelDeps, context, report)).rejects.toThrow(LeaseLostError);
    await outbound.close();
    expect((await drafts()) - before).toBe(1);
  }, 90_000);

  it('knows its models by name', async () => {
    const answer = await research.call('POST', '/api/v1/search/research/start', { query, llm_model: 'other' });
    expect([answer.status, answer.body.errors[0].message]).toEqual([
      422,
      'is not known: use one of local-large, without-price',
    ]);
  });
});

describe('a list with a model', () => {
  // No rule reads that she is one.
  const PAINTS = 'Ada Lorn (born 3 May 1961) won every prize that a Norwegian painter can win.';
  const listed = async () => {
    const { body } = await research.call('POST', '/api/v1/search/workflow/people/start', {
      prompt: 'Norwegian painters with their date of birth',
      llm_model: 'local-large',
      config: { sources: ['memory'] },
    });
    const status = await research.until(body.thread_id, 'completed', 'failed');
    const rows = await research.call('GET', `/api/v1/search/lists/${status.list_id}/rows`);
    return { status, rows: rows.body.data, events: await research.events(body.thread_id) };
  };
  beforeAll(() => {
    research.stubs.documents.push(
      { docId: 'doc_ada', title: 'Ada Lorn', text: `${PAINTS} She left 200 pictures.` },
      { docId: 'doc_iver', title: 'Iver Dahl', text: 'Iver Dahl sells boats to painters in Norway.' },
    );
  });

  it('has the rows that it reads where the rules do not, and none that no source says', async () => {
    server.replyWith((call) => {
      const text = call.body.messages?.map(({ content }) => content).join('\n') ?? '';
      const number = (title: string) => Number(new RegExp(`\\[(\\d+)\\] \\(${title}\\)`).exec(text)?.[1] ?? 99);
      const entry = (name: string, values: object[]) => ({ name, source: number(name), values });
      return json({
        entries: [
          entry('Ada Lorn', [
            { field: 'description', value: 'Norwegian painter', quote: PAINTS },
            { field: 'date of birth', value: '3 May 1961', quote: PAINTS },
          ]),
          entry('Iver Dahl', [
            { field: 'description', value: 'Norwegian painter', quote: 'Iver Dahl is a Norwegian painter.' },
          ]),
        ],
      });
    });
    const { status, rows, events } = await listed();
    expect(status.status).toBe('completed');
    expect(rows.map(({ name }: { name: string }) => name)).toEqual(['Ada Lorn']);
    expect(rows[0].cells['date of birth'].value).toContain('1961');
    expect(rows[0].cells.role.evidence[0].quote).toBe(PAINTS);
    expect(events.flatMap(({ data }) => data.note ?? []).join()).toContain('1 entries of the model are not said');
    expect(server.calls.length).toBeLessThanOrEqual(4);
  }, 90_000);

  it('is made without it when it says nothing usable twice, and says so', async () => {
    server.replyWith({ kind: 'text', pieces: ['I would rather not.'] });
    const { status, events } = await listed();
    expect(status.status).toBe('completed');
    expect(events.flatMap(({ data }) => data.note ?? []).join()).toContain('the model returned nothing usable');
    // The second time with the reason.
    expect(server.calls).toHaveLength(2);
  }, 90_000);
});
