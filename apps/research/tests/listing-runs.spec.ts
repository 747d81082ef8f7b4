import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testIdentity } from '@cairn/testing';
import { type ResearchHarness, startResearchHarness } from './research-harness.ts';

const RUNS = '/api/v1/search/runs';
const config = { sources: ['memory'] };

let research: ResearchHarness;
let answered: string;
let prepared: string;
beforeAll(async () => {
  research = await startResearchHarness();
  research.stubs.documents.push({
    docId: 'doc_leave',
    title: 'Leave policy',
    text: 'Everybody has 30 days of paid leave each year.',
  });
  const query = 'How many days of paid leave does everybody have?';
  answered = (await research.call('POST', '/api/v1/search/research/start', { query, config })).body.thread_id;
  await research.until(answered, 'completed');
  const prompt = 'What does 100 % mean?';
  prepared = (await research.call('POST', '/api/v1/search/agent/web-and-research', { prompt, config })).body.thread_id;
});
afterAll(() => research.close());

const list = async (query = '') => (await research.call('GET', `${RUNS}${query}`)).body;
const idsOf = (body: { runs: { thread_id: string }[] }) => body.runs.map(({ thread_id }) => thread_id);

describe('the list of runs', () => {
  it('has every run, the newest first, with its state and price', async () => {
    const { runs } = await list();
    expect(runs.map(({ thread_id }: { thread_id: string }) => thread_id)).toEqual([prepared, answered]);
    const status = (await research.call('GET', `/api/v1/search/workflow/status/${answered}`)).body;
    expect(runs[1]).toMatchObject({
      kind: 'research',
      status: 'completed',
      prompt: status.prompt,
      progress: status.progress,
      credits: 25,
      events: status.counts.events,
      started_by: research.caller.keyId,
      finished_at: status.finished_at,
    });
  });

  it('is filtered by kind, by several statuses and by words of the prompt, taken literally', async () => {
    expect(idsOf(await list('?kind=web'))).toEqual([prepared]);
    expect(idsOf(await list('?status=completed'))).toEqual([answered]);
    expect(idsOf(await list('?status=completed&status=awaiting_connection'))).toEqual([prepared, answered]);
    expect(idsOf(await list('?status=awaiting_clarification'))).toEqual([]);
    expect(idsOf(await list('?query=PAID%20leave'))).toEqual([answered]);
    expect(idsOf(await list('?query=%25'))).toEqual([prepared]);
  });

  it('comes in pages that meet and do not overlap', async () => {
    const first = await list('?limit=1');
    expect([idsOf(first), first.next_cursor]).toEqual([[prepared], prepared]);
    const second = await list(`?limit=1&cursor=${first.next_cursor}`);
    expect([idsOf(second), second.next_cursor]).toEqual([[answered], undefined]);
  });

  it('shows a tenant its own runs only', async () => {
    const { body } = await research.call('GET', RUNS, undefined, { as: testIdentity() });
    expect(body.runs).toEqual([]);
  });
});

describe('the log of a run', () => {
  const path = (threadId: string, query = '') => `${RUNS}/${threadId}/events${query}`;

  it('has the events of its stream, in pages without gap or repeat', async () => {
    const streamed = await research.events(answered);
    const paged = [];
    for (let cursor: string | undefined = '0'; cursor !== undefined;) {
      const { body } = await research.call('GET', path(answered, `?limit=3&cursor=${cursor}`));
      paged.push(...body.events);
      cursor = body.next_cursor;
    }
    expect(paged).toEqual(streamed.map((event) => expect.objectContaining(event)));
    expect(paged.map(({ seq }) => seq)).toEqual(streamed.map((_, at) => at + 1));
  });

  it('is another tenant’s 404, and refuses an invalid cursor', async () => {
    const stranger = await research.call('GET', path(answered), undefined, { as: testIdentity() });
    expect([stranger.status, stranger.body.code]).toEqual([404, 'not_found']);
    expect((await research.call('GET', path(answered, '?cursor=x'))).status).toBe(422);
  });
});

describe('what a run has read', () => {
  it('is listed with the documents that it is from, and its text is there to find quotes in', async () => {
    const { sources, next_cursor } = (await research.call('GET', `${RUNS}/${answered}/sources`)).body;
    expect(next_cursor).toBeUndefined();
    expect(sources).toEqual([
      {
        source_id: expect.stringMatching(/^src_/),
        thread_id: answered,
        kind: 'memory',
        title: 'Leave policy',
        uri: null,
        doc_id: 'doc_leave',
        occurred_at: null,
        read_at: expect.any(String),
      },
    ]);
    const [finding] = (await research.events(answered)).flatMap((event) =>
      event.type === 'finding.added' ? [event.data as { source_id: string; start: number; quote: string }] : [],
    );
    const source = `/api/v1/search/sources/${finding!.source_id}`;
    const whole = (await research.call('GET', source)).body;
    expect(whole).toMatchObject({ ...sources[0], start: 0, next_start: null, total_chars: whole.text.length });
    expect(whole.text.slice(finding!.start, finding!.start + finding!.quote.length)).toBe(finding!.quote);
    const part = (await research.call('GET', `${source}?start=4&length=10`)).body;
    expect([part.text, part.next_start]).toEqual([whole.text.slice(4, 14), 14]);
    expect((await research.call('GET', `${source}?start=${whole.total_chars + 5}`)).body).toMatchObject({
      text: '',
      next_start: null,
    });
  });

  it('is nobody else’s, and its text is told to be gone when it is', async () => {
    const { sources } = (await research.call('GET', `${RUNS}/${answered}/sources`)).body;
    const source = `/api/v1/search/sources/${sources[0].source_id}`;
    const stranger = { as: testIdentity() };
    expect((await research.call('GET', source, undefined, stranger)).status).toBe(404);
    expect((await research.call('GET', `${RUNS}/${answered}/sources`, undefined, stranger)).status).toBe(404);
    await research.ask("UPDATE sources SET body = '' WHERE run_id = $1", [answered]);
    expect((await research.call('GET', source)).body).toMatchObject({ text: null, total_chars: 0, next_start: null });
  });
});
