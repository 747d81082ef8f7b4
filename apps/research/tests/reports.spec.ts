import { listenOnLoopback, testIdentity } from '@cairn/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { clearAnswers } from '../src/sources/finding-store.ts';
import { readReportFindings } from '../src/steps/generate-report.ts';
import { checkReport } from './report-checker.ts';
import { messagesOf, type ResearchHarness, startResearchHarness } from './research-harness.ts';

const HANDBOOK = join(import.meta.dirname, '..', '..', '..', 'examples', 'handbook');
const RESEARCH = '/api/v1/search/research/start';

let research: ResearchHarness;
let site: Server;
let origin: string;
let connections = 0;

beforeAll(async () => {
  research = await startResearchHarness({ allowPrivateNetwork: true });
  for (const entry of await readdir(HANDBOOK, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.md')) continue;
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
    const title = /^#\s+(.+)$/m.exec(text)?.[1] ?? entry.name;
    research.stubs.documents.push({ docId: `doc_${entry.name}`, title, text });
  }
  site = createServer((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/html');
    response.end(PAGES[request.url ?? '/'] ?? '<p>nothing</p>');
  });
  site.on('connection', () => (connections += 1));
  const port = await listenOnLoopback(site);
  origin = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await research.close();
  await new Promise((resolve) => {
    site.close(resolve);
    site.closeAllConnections();
  });
});

const page = (title: string, body: string) =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
const PAGES: Record<string, string> = {
  '/': page(
    'Ferry company',
    '<p>The ferry company runs three ships between the island and the harbour. <a href="/fares">Fares</a> <a href="/rules">Rules</a> <a href="/news">News</a></p>',
  ),
  '/fares': page(
    'Fares',
    '<p>A return ticket for the ferry costs 24 euros for adults. Children under six travel for free. Bicycles cost 5 euros each way.</p><table><tr><th>Kind</th><th>Price</th></tr><tr><td>Car under five metres</td><td>60 euros</td></tr></table>',
  ),
  '/rules': page(
    'Rules',
    '<p>Dogs are allowed on the ferry on a short lead. The ferry leaves the harbour at 07:30 every morning. Cars must be at the pier 45 minutes before departure.</p>',
  ),
  '/news': page(
    'News',
    '<p>Dogs are not allowed on the ferry on a short lead. A return ticket for the ferry costs 29 euros for adults. Since May the ferry takes 90 minutes.</p>',
  ),
};

async function reportOf(threadId: string) {
  const status = await research.until(threadId, 'completed', 'failed');
  expect(status.error).toBeNull();
  const rows = await research.ask<{ source_id: string; body: string }>(
    'SELECT source_id, body FROM sources WHERE run_id = $1',
    [threadId],
  );
  const sources = new Map(rows.map(({ source_id, body }) => [source_id, body]));
  return { status, checked: checkReport({ report: status.final_report, citations: status.citations, sources }) };
}

async function researched(query: string, config: object = { sources: ['memory'] }) {
  const { body } = await research.call('POST', RESEARCH, { query, config });
  return { threadId: body.thread_id as string, ...(await reportOf(body.thread_id)) };
}

describe('every sentence of a report cites a span of a stored source that supports its words', () => {
  it.each([
    'What happened in the March freezer alarm outage, and what was changed afterwards?',
    'How does on-call work, and what do colleagues get for it?',
    'Which rules are there for travel and expenses?',
    'What are customers promised about availability and response times?',
    'Who leads the teams, and where do they work?',
    'How much leave does everybody have, and when must it be taken?',
  ])(
    'over the handbook: %s',
    async (query) => {
      const { checked, status } = await researched(query);
      expect(checked.faults).toEqual([]);
      expect(checked.sentences).toBeGreaterThan(2);
      expect(status.research_brief).toContain(query.slice(0, 20));
    },
    60_000,
  );

  it('over a text with citation marks of its own, which are not taken for those of the report', async () => {
    research.stubs.documents.push({
      docId: 'doc_history',
      title: 'History [draft]\n## of the <b>lightship</b>',
      text: 'The lightship was built in Emden in 1911.[7] The lightship was painted red in 1924 [1], and sold in 1960 [99].',
    });
    const { status, checked } = await researched('When was the lightship built, when painted and when sold?');
    expect(checked.faults).toEqual([]);
    expect(status.final_report).toMatch(/built in Emden in 1911\. \[\d\]\n/);
    expect(status.final_report).not.toMatch(/\[99\]|^## of the/m);
    expect(status.citations.map(({ quote }: { quote: string }) => quote).join(' ')).toContain('[99]');
  }, 60_000);

  it('over a site, as a list with evidence besides', async () => {
    const started = await research.call('POST', '/api/v1/search/agent/web-and-research', {
      prompt: `What does the ferry cost, when does it leave, and are dogs allowed? ${origin}/`,
      config: { sources: ['web'] },
    });
    const { messages } = await messagesOf(await research.connect(started.body.websocket_url));
    const { checked, status } = await reportOf(started.body.thread_id);
    expect(checked.faults).toEqual([]);
    expect(status.final_report).toContain('24 euros');
    const rows = await research.call('GET', `/api/v1/search/lists/${started.body.list_id}/rows`);
    expect(rows.body.total).toBe(messages.filter(({ type }) => type === 'row.matched').length);
    expect(rows.body.data[0].cells.summary.evidence.length).toBeGreaterThan(0);
  }, 60_000);
});

describe('the report of a run', () => {
  const download = async (threadId: string, format: string, as = research.caller) => {
    const send = research.identities.fetchAs({ ...as, admitUntilMs: Date.now() + 60_000 }, 'research');
    return send(`${research.http}/api/v1/search/workflow/report/${threadId}?format=${format}`, { method: 'GET' });
  };

  it('is downloaded in four formats, and by nobody else', async () => {
    const { threadId, status } = await researched('How does on-call work, and what do colleagues get for it?');
    const markdown = await download(threadId, 'markdown');
    expect(await markdown.text()).toBe(status.final_report);
    const html = await download(threadId, 'html');
    expect(html.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html.headers.get('content-disposition')).toBe(`attachment; filename="${threadId}.html"`);
    expect(await html.text()).toContain('<h2>Sources</h2>');
    const json = (await (await download(threadId, 'json')).json()) as { citations: object[] };
    expect(json.citations).toHaveLength(status.citations.length);
    const pdf = Buffer.from(await (await download(threadId, 'pdf')).arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await download(threadId, 'docx')).status).toBe(422);
    expect((await download(threadId, 'pdf', testIdentity())).status).toBe(404);
  }, 60_000);

  it('is announced with the sources that it will use, and with what was read and found', async () => {
    const { threadId, status } = await researched('Which rules are there for travel and expenses?', {});
    expect(status.research_brief).toMatch(/\nSources: the memory only\.$/);
    const site = await researched(`What does the ferry cost? ${origin}/`, { sources: ['web'] });
    expect(site.status.research_brief).toContain(`\nSources: ${new URL(origin).host}.`);
    const told = (await research.events(threadId)).filter(({ type }) => type === 'run.progress');
    expect(told.at(-1)!.data).toMatchObject({ documents: expect.any(Number), findings: status.counts.findings });
  }, 60_000);

  it('is 409 while there is none', async () => {
    const { body } = await research.call('POST', '/api/v1/search/service-deep-search/start', { prompt: 'The ferry' });
    expect((await download(body.thread_id, 'html')).status).toBe(409);
  });
});

describe('contradictions between sources', () => {
  it('are announced and reported with both sides cited, in values and in denials', async () => {
    const { status, threadId, checked } = await researched(
      `What does a return ticket for the ferry cost, and are dogs allowed on the ferry? ${origin}/`,
      { sources: ['web'] },
    );
    const conflicts = (await research.events(threadId)).filter(({ type }) => type === 'conflict.found');
    const pairs = conflicts.map(({ data }) =>
      data.statements
        .map((side: { quote: string }) => side.quote)
        .sort()
        .join(' / '),
    );
    expect(pairs).toEqual(
      expect.arrayContaining([
        'A return ticket for the ferry costs 24 euros for adults. / A return ticket for the ferry costs 29 euros for adults.',
        'Dogs are allowed on the ferry on a short lead. / Dogs are not allowed on the ferry on a short lead.',
      ]),
    );
    expect(status.counts.conflicts).toBe(conflicts.length);
    expect(status.final_report).toContain('## Contradictions between the sources');
    expect(checked.faults).toEqual([]);
  }, 60_000);

  it('are not found where the sources agree', async () => {
    const { status } = await researched(
      'What happened in the March freezer alarm outage, and what was changed afterwards?',
    );
    expect(status.counts.conflicts).toBeLessThanOrEqual(1);
  }, 60_000);
});

describe('a run that asks for its own documents only', () => {
  it('opens no connection to the web, though a site is named', async () => {
    const before = connections;
    const { threadId, status } = await researched(
      `Use my documents only: what are the rules for travel? Do not read ${origin}/rules`,
      {},
    );
    expect(status.status).toBe('completed');
    expect(connections).toBe(before);
    expect(
      (await research.events(threadId)).filter(({ type, data }) => type === 'source.fetched' && data.kind === 'web'),
    ).toEqual([]);
    expect(await research.ask('SELECT 1 FROM frontier WHERE run_id = $1', [threadId])).toEqual([]);
  }, 60_000);
});

describe('what an earlier round noted', () => {
  it('is no part of a report unless the last round chooses it, too', async () => {
    const { threadId } = await researched('What are the rules for travel?');
    const { tenantId } = research.caller;
    const read = await research.database.worker.withTenant(tenantId, async (tx) => {
      const before = await readReportFindings(tx, threadId);
      await clearAnswers(tx, threadId);
      return { before, after: await readReportFindings(tx, threadId) };
    });
    expect(read.before.length).toBeGreaterThan(0);
    expect(read.after).toEqual([]);
    const kept = await research.ask('SELECT topic, score, is_old FROM findings WHERE run_id = $1', [threadId]);
    expect(kept).toEqual(read.before.map(() => ({ topic: '', score: 0, is_old: false })));
  }, 60_000);
});
