import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChargeState, decodeEvent, newId } from '@cairn/contracts';
import { eventually } from '@cairn/testing';
import { messagesOf, type RunEvent, type ResearchHarness, startResearchHarness } from './research-harness.ts';

let research: ResearchHarness;
beforeAll(async () => {
  research = await startResearchHarness({ connectWithinMs: 1_500, clarifyWithinMs: 60_000 });
  research.stubs.documents.push(
    { docId: 'doc_a', title: 'Lantern releases', text: 'Lantern 2.3 was released in May. Lantern has new alarms.' },
    { docId: 'doc_b', title: 'Lantern prices', text: 'Lantern costs 40 euros a month for each gateway.' },
  );
});
afterAll(() => research.close());

const WEB = '/api/v1/search/agent/web-and-research';
const RESEARCH = '/api/v1/search/research/start';
const config = { sources: ['memory'] };

describe('a question', () => {
  it('of a research run is answered by respond, once', async () => {
    const { body } = await research.call('POST', RESEARCH, { query: 'Lantern', allow_clarification: true, config });
    const path = `/api/v1/search/research/respond/${body.thread_id}`;
    const status = await research.until(body.thread_id, 'awaiting_clarification');
    expect(status.question).toMatchObject({
      question: expect.stringContaining('Lantern'),
      default: expect.any(String),
    });
    const answered = await research.call('POST', `${path}?response=${encodeURIComponent('What does it cost?')}`);
    expect(answered.body).toEqual({ status: 'queued', message: expect.any(String) });
    expect((await research.call('POST', `${path}?response=again`)).status).toBe(409);
    const done = await research.until(body.thread_id, 'completed');
    expect(done.final_report).toContain('40 euros');
    expect(done.assumptions).toEqual([]);
    const events = await research.ask<{ payload: Buffer }>(
      "SELECT payload FROM outbox WHERE subject LIKE 'cairn.event.research.run.%' ORDER BY position",
    );
    const changes = events.map(({ payload }) => decodeEvent(payload).payload.value as Record<string, unknown>);
    const ofRun = changes.filter(({ threadId }) => threadId === body.thread_id);
    expect(ofRun.map((change) => [change['kind'], change['status']])).toEqual(
      ['queued', 'running', 'awaiting_clarification', 'running', 'completed'].map((each) => ['research', each]),
    );
  });

  it('is answered over the WebSocket by whoever is connected', async () => {
    const { body } = await research.call('POST', WEB, { prompt: 'Lantern', config });
    const socket = await research.connect(body.websocket_url);
    const all = messagesOf(socket);
    socket.on('message', (bytes) => {
      const { type, data } = JSON.parse((bytes as Buffer).toString()) as RunEvent;
      if (type === 'clarification.requested')
        socket.send(
          JSON.stringify({ type: 'clarification.answer', question_id: data.question_id, answer: 'the price' }),
        );
    });
    const { messages } = await all;
    expect(messages.find(({ type }) => type === 'clarification.answered')?.data).toMatchObject({
      answer: 'the price',
      assumed: false,
    });
    expect(messages.at(-1)?.type).toBe('run.completed');
  });

  it('of a deep search is answered by a second start, which returns the same session', async () => {
    const { body } = await research.call('POST', '/api/v1/search/service-deep-search/start', {
      prompt: 'Lantern',
      config,
      live_url: true,
    });
    expect(body.live_url).toMatch(/^https:\/\/cairn\.example\/research\/live\/thr_\w+\?ticket=/);
    (await research.connect(body.websocket_url)).on('error', () => undefined);
    await research.until(body.thread_id, 'awaiting_clarification');
    const again = await research.call('POST', '/api/v1/search/service-deep-search/start', {
      prompt: 'the alarms',
      thread_id: body.thread_id,
      list_id: body.list_id,
    });
    expect(again.body).toMatchObject({
      thread_id: body.thread_id,
      list_id: body.list_id,
      workspace_id: body.workspace_id,
      success: true,
    });
    expect((await research.until(body.thread_id, 'completed')).final_report).toContain('new alarms');
  });

  it('offers what the sources show, and only what was chosen is read', async () => {
    const { body } = await research.call('POST', RESEARCH, { query: 'Lantern', allow_clarification: true, config });
    const { question } = await research.until(body.thread_id, 'awaiting_clarification');
    expect(question.choices.toSorted()).toEqual(['Lantern prices', 'Lantern releases']);
    await research.call('POST', `/api/v1/search/research/respond/${body.thread_id}?response=Lantern%20prices`);
    const done = await research.until(body.thread_id, 'completed');
    expect(done.final_report).toContain('40 euros');
    expect(done.final_report).not.toContain('2.3');
    const read = (await research.events(body.thread_id)).filter(({ type }) => type === 'source.fetched');
    expect(read.map(({ data }) => data.title)).toEqual(['Lantern prices']);
  });

  it.each(['What does Lantern cost?', 'Lantern prices', 'Barge'])('is not needed for “%s”', async (query) => {
    const { body } = await research.call('POST', RESEARCH, { query, allow_clarification: true, config });
    await research.until(body.thread_id, 'completed');
    const types = (await research.events(body.thread_id)).map(({ type }) => type);
    expect(types).not.toContain('clarification.requested');
  });

  it('is waited for without using up the time that the run may take', async () => {
    const limited = { ...config, max_seconds: 600 };
    const start = { query: 'Lantern', allow_clarification: true, config: limited };
    const { body } = await research.call('POST', RESEARCH, start);
    await research.until(body.thread_id, 'awaiting_clarification');
    // The run began to wait an hour ago.
    await research.ask(`UPDATE run_steps SET done_at = done_at - interval '1 hour' WHERE run_id = $1`, [
      body.thread_id,
    ]);
    await research.ask(`UPDATE run_events SET at = at - interval '1 hour' WHERE run_id = $1`, [body.thread_id]);
    await research.call('POST', `/api/v1/search/research/respond/${body.thread_id}?response=Lantern%20prices`);
    expect((await research.until(body.thread_id, 'completed')).final_report).toContain('40 euros');
  });

  it('of a deep search is not answered for another list, and not when it is not asked', async () => {
    const START = '/api/v1/search/service-deep-search/start';
    const { body } = await research.call('POST', START, { prompt: 'Lantern', config });
    (await research.connect(body.websocket_url)).on('error', () => undefined);
    await research.until(body.thread_id, 'awaiting_clarification');
    const answer = async (list_id: string, headers = {}) => {
      const again = { prompt: 'the alarms', thread_id: body.thread_id, list_id };
      const response = await research.call('POST', START, again, { headers });
      return [response.status, response.body.code ?? 'ok'];
    };
    expect(await answer(newId('list'))).toEqual([422, 'validation_failed']);
    const headers = { 'idempotency-key': 'answer-1' };
    expect(await answer(body.list_id, headers)).toEqual([200, 'ok']);
    expect(await answer(body.list_id, headers)).toEqual([200, 'ok']);
    expect(await answer(body.list_id)).toEqual([409, 'conflict']);
    await research.until(body.thread_id, 'completed');
  });

  it('that nobody asks is a conflict', async () => {
    const { body } = await research.call('POST', RESEARCH, {
      query: 'What does Lantern cost for each gateway?',
      config,
    });
    await research.until(body.thread_id, 'completed');
    const answer = await research.call('POST', `/api/v1/search/research/respond/${body.thread_id}?response=x`);
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
  });
});

describe('a prompt that points at something it does not name', () => {
  const HEAD_OFFICE = 'What about their head office?';
  const office = { docId: 'doc_office', title: 'Acme Corp', text: 'The head office of Acme Corp is in Turku.' };
  beforeAll(() => {
    research.stubs.documents.push(office, {
      docId: 'doc_other',
      title: 'Beta Group',
      text: 'The head office of Beta Group is in Cadiz.',
    });
  });

  it('is asked about by research, and the report is on what respond names', async () => {
    const start = { query: HEAD_OFFICE, allow_clarification: true, config };
    const { body } = await research.call('POST', RESEARCH, start);
    const { question } = await research.until(body.thread_id, 'awaiting_clarification');
    expect(question.question).toContain('“their”');
    expect(question.default).not.toBe('');
    await research.call('POST', `/api/v1/search/research/respond/${body.thread_id}?response=Acme%20Corp`);
    const done = await research.until(body.thread_id, 'completed');
    expect(done.final_report).toContain('Turku');
    expect(done.final_report).not.toContain('Cadiz');
    expect(done.assumptions).toEqual([]);
  });

  it('is asked about by web research over its WebSocket', async () => {
    const { body } = await research.call('POST', WEB, { prompt: 'research it', config });
    const socket = await research.connect(body.websocket_url);
    const all = messagesOf(socket);
    socket.on('message', (bytes) => {
      const { type, data } = JSON.parse((bytes as Buffer).toString()) as RunEvent;
      const answer = { type: 'clarification.answer', question_id: data?.question_id, answer: 'Acme Corp' };
      if (type === 'clarification.requested') socket.send(JSON.stringify(answer));
    });
    const { messages } = await all;
    expect(messages.filter(({ type }) => type === 'clarification.answered')).toHaveLength(1);
    expect((await research.until(body.thread_id, 'completed')).final_report).toContain('Turku');
  });

  it('is asked about by deep search, whose second start answers', async () => {
    const START = '/api/v1/search/service-deep-search/start';
    const { body } = await research.call('POST', START, { prompt: 'Where is this company?', config, start: 'now' });
    const { thread_id, list_id } = body;
    await research.until(thread_id, 'awaiting_clarification');
    const again = await research.call('POST', START, { thread_id, list_id, prompt: 'Acme Corp' });
    expect(again.body).toMatchObject({ success: true, thread_id, list_id });
    expect((await research.until(thread_id, 'completed')).final_report).toContain('Turku');
  });

  it('runs at once where nobody may be asked, and the assumption is noted', async () => {
    const { body } = await research.call('POST', RESEARCH, { query: HEAD_OFFICE, config });
    const done = await research.until(body.thread_id, 'completed');
    expect(done.assumptions).toEqual([expect.stringMatching(/“their”.*nobody was asked; assumed: /)]);
    const types = (await research.events(body.thread_id)).map(({ type }) => type);
    expect(types).not.toContain('clarification.requested');
  });

  it.each(['Is it true that the head office of Acme Corp is in Turku?', 'Describe Acme Corp and its head office'])(
    'does not include “%s”',
    async (query) => {
      const { body } = await research.call('POST', RESEARCH, { query, allow_clarification: true, config });
      const done = await research.until(body.thread_id, 'completed', 'awaiting_clarification');
      expect([done.status, done.assumptions]).toEqual(['completed', []]);
    },
  );
});

describe('the end of a run', () => {
  const chargeOf = (threadId: string) => research.stubs.charges.get(threadId);

  it('settles its charge once when it completes', async () => {
    const { body } = await research.call('POST', RESEARCH, {
      query: 'What does Lantern cost for each gateway?',
      config,
    });
    await research.until(body.thread_id, 'completed');
    await eventually(() => chargeOf(body.thread_id)?.state === ChargeState.SETTLED);
    expect(chargeOf(body.thread_id)).toMatchObject({ charge: 'research.run', requests: ['reserve', 'settle'] });
    expect((await research.call('GET', `/api/v1/search/workflow/status/${body.thread_id}`)).body.cost).toMatchObject({
      charge: 'research.run',
      credits: 25,
      state: 'settled',
    });
  });

  it('is reported to usage although other charges cannot be', async () => {
    const start = async () => {
      const query = 'What does Lantern cost for each gateway?';
      return (await research.call('POST', RESEARCH, { query, config })).body.thread_id as string;
    };
    const lost = await start();
    research.stubs.charges.delete(lost);
    const good = await start();
    for (const thread of [lost, good]) await research.until(thread, 'completed');
    await eventually(() => chargeOf(good)?.state === ChargeState.SETTLED);
    const state = () =>
      research.ask<{ charge_state: string }>('SELECT charge_state FROM research_runs WHERE run_id = $1', [lost]);
    await eventually(state, ([row]) => row?.charge_state === 'released');
  });

  it('releases the charge when nobody ever connected', async () => {
    const { body } = await research.call('POST', '/api/v1/search/service-deep-search/start', {
      prompt: 'Lantern price',
      config,
    });
    expect((await research.until(body.thread_id, 'expired')).status).toBe('expired');
    expect((await research.events(body.thread_id)).map(({ type }) => type)).toEqual(['run.expired']);
    await eventually(() => chargeOf(body.thread_id)?.state === ChargeState.RELEASED);
    expect(chargeOf(body.thread_id)?.requests).toEqual(['reserve', 'release']);
  });

  it('releases the charge when it failed before it found anything', async () => {
    const { body } = await research.call('POST', '/api/v1/search/workflow/people/start', { prompt: 'please' });
    expect((await research.until(body.thread_id, 'failed')).error).toEqual({
      code: 'no_criteria',
      message: expect.any(String),
    });
    await eventually(() => chargeOf(body.thread_id)?.state === ChargeState.RELEASED);
  });

  it('comes at once when it is stopped while it waits, and again it is the same answer', async () => {
    const { body } = await research.call('POST', RESEARCH, { query: 'Lantern', allow_clarification: true, config });
    await research.until(body.thread_id, 'awaiting_clarification');
    const stop = () => research.call('POST', `/api/v1/search/workflow/stop/${body.thread_id}`, {});
    expect((await stop()).body).toEqual({
      success: true,
      thread_id: body.thread_id,
      status: 'cancelled',
      message: expect.any(String),
    });
    expect((await stop()).body).toMatchObject({ success: true, status: 'cancelled' });
    const types = (await research.events(body.thread_id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'run.cancelled')).toHaveLength(1);
    expect(types.at(-1)).toBe('run.cancelled');
  });
});
