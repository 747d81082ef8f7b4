import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { eventually, testIdentity } from '@cairn/testing';
import { expireTexts } from '../src/erasure/expire-texts.ts';
import { docxOf, pdfOf, zipOf } from './sample-files.ts';
import { checkReport } from './report-checker.ts';
import { type ApiResponse, messagesOf, type ResearchHarness, startResearchHarness } from './research-harness.ts';

let research: ResearchHarness;
beforeAll(async () => {
  research = await startResearchHarness();
});
afterAll(() => research.close());

const START = '/api/v1/search/service-deep-search/start';
const PROMPT = 'What does the pump station cost each year, and which valves are inspected how often?';

interface Session {
  thread_id: string;
  list_id: string;
  websocket_url: string;
  workspace_id: string;
}

async function start(prompt = PROMPT): Promise<Session> {
  return (await research.call('POST', START, { prompt, config: { sources: ['memory'] } })).body;
}

async function upload(
  threadId: string,
  name: string,
  content: Buffer | string,
  { as = research.caller, headers = {} }: { as?: typeof research.caller; headers?: Record<string, string> } = {},
): Promise<ApiResponse> {
  const form = new FormData();
  form.set('thread_id', threadId);
  form.set('file', new Blob([content]), name);
  const send = research.identities.fetchAs({ ...as, admitUntilMs: Date.now() + 60_000 }, 'research');
  const url = `${research.http}/api/v1/search/service-deep-search/upload`;
  const response = await send(url, { method: 'POST', headers, body: form });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function completed({ thread_id, websocket_url }: Session) {
  await messagesOf(await research.connect(websocket_url));
  return research.until(thread_id, 'completed', 'failed');
}

const textsOf = (threadId: string) =>
  research.ask<{ source_id: string; origin: string; body: string }>(
    `SELECT source_id, origin, body FROM sources WHERE run_id = $1 AND kind = 'upload' ORDER BY origin`,
    [threadId],
  );

describe('reference files of a deep search', () => {
  it('of every format are read, and support a report whose citations can be verified', async () => {
    const session = await start();
    const files: [string, Buffer | string][] = [
      ['cost.pdf', pdfOf(['The pump station costs 48,000 euros each year.', 'Half of it is electricity.'])],
      ['valves.docx', docxOf(['Inlet valves of the pump station are inspected every six weeks.', 'Done by Technik.'])],
      ['valves.csv', 'valve,inspected,by\nOutlet valve,every three months,Technik\nBypass valve,once a year,Technik\n'],
      ['notes.md', '# Pump station\n\nThe relief valves are inspected twice a year by an outside company.\n'],
      ['notes.txt', 'Spare valves of the pump station are kept in hall four.'],
      ['page.html', '<html><body><p>The check valves are inspected each spring before the floods.</p></body></html>'],
      ['valves.json', JSON.stringify([{ valve: 'Drain valve', inspected: 'every second year' }])],
    ];
    for (const [name, content] of files) {
      const { status, body } = await upload(session.thread_id, name, content);
      expect([status, body]).toEqual([
        200,
        { success: true, workspace_id: session.workspace_id, paths: [`${session.thread_id}/${name}`] },
      ]);
    }
    const status = await completed(session);
    const sources = new Map((await textsOf(session.thread_id)).map(({ source_id, body }) => [source_id, body]));
    expect(sources.size).toBe(files.length);
    const checked = checkReport({ report: status.final_report, citations: status.citations, sources });
    expect(checked.faults).toEqual([]);
    expect(checked.sentences).toBeGreaterThanOrEqual(4);
    expect(status.final_report).toContain('48,000 euros');
    expect(status.final_report).toContain('every six weeks');
  }, 90_000);

  it('with a table are computed over, and the rows that show it are cited', async () => {
    const session = await start('How many valves are in hall B?');
    const rows = Array.from({ length: 60 }, (_, i) => `V-${100 + i},${i % 3 === 0 ? 'B' : 'A'},${10 + i}`);
    expect((await upload(session.thread_id, 'valves.csv', ['valve,hall,bar', ...rows].join('\n'))).status).toBe(200);
    const status = await completed(session);
    expect(status.final_report).toMatch(
      /\n20\. Number of valves.* in “valves\.csv”, where hall is B\. \[1\] \[2\] \[3\]/,
    );
    expect(status.citations[0]).toMatchObject({ quote: 'valve: V-100; hall: B; bar: 10', title: 'valves.csv' });
    const [source] = await textsOf(session.thread_id);
    for (const { quote, start: at } of status.citations) expect(source!.body.slice(at, at + quote.length)).toBe(quote);
  }, 60_000);

  it.each<[string, string, Buffer | string, number, string]>([
    ['an unknown kind', 'a.bin', Buffer.from([0, 1, 2, 3, 250, 255, 0, 9]), 415, 'unsupported_media_type'],
    ['a broken PDF', 'a.pdf', '%PDF-1.4\nnothing follows', 422, 'validation_failed'],
    [
      'an archive that is no document',
      'a.docx',
      zipOf([{ name: 'a.txt', content: 'x' }]),
      415,
      'unsupported_media_type',
    ],
    ['nothing', 'a.txt', '  \n', 422, 'validation_failed'],
    [
      'a document that unpacks to too much',
      'bomb.docx',
      docxOf(['x'], [{ name: 'word/media/a.xml', content: Buffer.alloc(120 * 1_048_576) }]),
      422,
      'validation_failed',
    ],
    [
      'one that lies about it',
      'liar.docx',
      docxOf(['x'], [{ name: 'word/footnotes.xml', content: Buffer.alloc(120 * 1_048_576), declared: 10 }]),
      422,
      'validation_failed',
    ],
  ])(
    'with %s are refused, and the run goes on',
    async (_what, name, content, status, code) => {
      const session = await start();
      const answer = await upload(session.thread_id, name, content);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(await textsOf(session.thread_id)).toEqual([]);
      expect((await upload(session.thread_id, 'good.txt', 'The pump station is in hall four.')).status).toBe(200);
    },
    60_000,
  );

  it('receive safe unique names, and a repeated idempotency key stores one file', async () => {
    const session = await start();
    const headers = { 'idempotency-key': 'upload-1' };
    const path = async (name: string, text: string, more = {}) => {
      const { body } = await upload(session.thread_id, name, text, more);
      return body.paths?.[0]?.slice(session.thread_id.length + 1) ?? body.code;
    };
    expect(await path('../../etc/pass wd', 'One text about the pump.')).toBe('pass-wd');
    expect(await path('pass wd', 'Another text about the pump.')).toBe('pass-wd-2');
    expect(await path('a.txt', 'A third text about the pump.', { headers })).toBe('a.txt');
    expect(await path('a.txt', 'A third text about the pump.', { headers })).toBe('a.txt');
    expect(await path('a.txt', 'A third text about the pomp.', { headers })).toBe('idempotency_mismatch');
    expect(await textsOf(session.thread_id)).toHaveLength(3);
  });

  it('are limited in number and in total text', async () => {
    const session = await start();
    for (let count = 0; count < 20; count += 1)
      expect((await upload(session.thread_id, `${count}.txt`, `Text number ${count}.`)).status).toBe(200);
    expect((await upload(session.thread_id, 'more.txt', 'One more.')).status).toBe(409);
    const other = await start();
    const large = 'A line of the pump station.\n'.repeat(180_000);
    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push(await upload(other.thread_id, `${count}.txt`, large));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 413]);
  }, 60_000);

  it.each([
    ['a thread that nobody started', async () => newId('thread'), 404],
    [
      'a run of another kind',
      async () =>
        (await research.call('POST', '/api/v1/search/agent/web-and-research', { prompt: PROMPT })).body.thread_id,
      409,
    ],
    [
      'one that has ended',
      async () => {
        const session = await start();
        await completed(session);
        return session.thread_id;
      },
      409,
    ],
  ])('are refused for %s', async (_what, thread, status) => {
    expect((await upload(await thread(), 'a.txt', 'A text about the pump.')).status).toBe(status);
  });

  it('are refused for a run of another tenant', async () => {
    const session = await start();
    const as = testIdentity();
    expect((await upload(session.thread_id, 'a.txt', 'A text about the pump.', { as })).status).toBe(404);
  });

  it('are deleted when the run ends without a result, and after their retention otherwise', async () => {
    const [stopped, done] = [await start(), await start()];
    for (const { thread_id } of [stopped, done])
      expect((await upload(thread_id, 'a.txt', 'The pump station costs 48,000 euros each year.')).status).toBe(200);
    await research.call('POST', `/api/v1/search/workflow/stop/${stopped.thread_id}`, {});
    expect((await textsOf(stopped.thread_id)).map(({ body }) => body)).toEqual(['']);
    const { final_report } = await completed(done);
    const retention = { workerDatabase: research.database.worker, textsKeepMs: 86_400_000 };
    await expireTexts({ ...retention, uploadsKeepMs: 86_400_000 });
    expect((await textsOf(done.thread_id))[0]!.body).toContain('48,000');
    // The sweep passes over a run whose rows a transaction holds.
    await eventually(async () => {
      await expireTexts({ ...retention, uploadsKeepMs: 0 });
      return (await textsOf(done.thread_id)).every(({ body }) => body === '');
    });
    const status = (await research.call('GET', `/api/v1/search/workflow/status/${done.thread_id}`)).body;
    expect(status.final_report).toBe(final_report);
    expect(status.citations[0].quote).toContain('48,000');
  }, 60_000);
});
