import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChargeState } from '@cairn/contracts';
import { eventually, listenOnLoopback } from '@cairn/testing';
import { createServer, type Server } from 'node:http';
import { serveSite, type ServedSite, shopSite } from './record-sites.ts';
import { messagesOf, type ResearchHarness, startResearchHarness } from './research-harness.ts';

const CRAWLER = '/api/v1/search/agent/agentic-crawler';
const RESEARCH = '/api/v1/search/research/start';
const PROMPT = 'Collect all products with columns price, brand and sku';

let research: ResearchHarness;
let engine: Server;
let site: ServedSite;
const shop = shopSite();
const answer = { status: 200, queries: [] as string[] };

beforeAll(async () => {
  site = await serveSite(shop.pages);
  engine = createServer((request, response) => {
    answer.queries.push(new URL(request.url ?? '', 'http://engine').searchParams.get('q') ?? '');
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ results: [{ url: `${site.origin}/shop/`, title: 'Shop', content: 'Products' }] }));
  });
  const webSearchUrl = `http://127.0.0.1:${await listenOnLoopback(engine)}`;
  research = await startResearchHarness({ allowPrivateNetwork: true, webSearch: 'searxng', webSearchUrl });
});
afterAll(async () => {
  await research.close();
  await site.close();
  await new Promise((resolve) => {
    engine.close(resolve);
    engine.closeAllConnections();
  });
});

describe('a crawl whose prompt names no site', () => {
  it('collects from the sites that the web search finds, and says which', async () => {
    answer.status = 200;
    const { body, status } = await research.call('POST', CRAWLER, { prompt: PROMPT });
    expect(status).toBe(200);
    await messagesOf(await research.connect(body.websocket_url));
    await research.until(body.thread_id, 'completed');
    const rows = (await research.call('GET', `/api/v1/search/lists/${body.list_id}/rows?limit=200`)).body.data;
    expect(rows.map(({ name }: { name: string }) => name).sort()).toEqual(shop.rows.map(({ name }) => name).sort());
    const stages = (await research.events(body.thread_id)).map(({ data }) => String(data.stage ?? ''));
    expect(stages).toContainEqual(expect.stringContaining(new URL(site.origin).host));
    expect(answer.queries.at(-1)).toContain('products');
  }, 120_000);

  it('is refused where no web search is configured, with what to do', async () => {
    const without = await startResearchHarness();
    try {
      const { body, status } = await without.call('POST', CRAWLER, { prompt: PROMPT });
      expect([status, body.code]).toEqual([422, 'validation_failed']);
      expect(body.errors[0].message).toMatch(/no web search is configured.*CAIRN_WEB_SEARCH/);
    } finally {
      await without.close();
    }
  }, 60_000);
});

describe('a run that has read nothing because the search engine refused', () => {
  it.each([
    ['research', RESEARCH, { query: 'Which ports does Estonia have?' }],
    ['a people search', '/api/v1/search/workflow/people/start', { prompt: 'Find harbour pilots in Tallinn' }],
    ['a crawl', CRAWLER, { prompt: PROMPT, start: 'now' }],
  ])(
    'fails with the reason, and %s is not charged',
    async (_what, path, start) => {
      answer.status = 429;
      const { body } = await research.call('POST', path, start);
      const { error } = await research.until(body.thread_id, 'failed', 'completed');
      expect(error).toEqual({ code: 'web_search_failed', message: expect.stringContaining('too many requests (429)') });
      const charge = () => research.stubs.charges.get(body.thread_id);
      await eventually(() => charge() === undefined || charge()?.state === ChargeState.RELEASED);
    },
    60_000,
  );

  it('completes all the same when another source had something', async () => {
    answer.status = 429;
    research.stubs.documents.push({
      docId: 'doc_ports',
      title: 'Ports',
      text: 'Estonia has the ports of Muuga and Sillamäe.',
    });
    const { body } = await research.call('POST', RESEARCH, { query: 'Which ports does Estonia have?' });
    const { final_report } = await research.until(body.thread_id, 'completed');
    expect(final_report).toContain('Muuga');
  }, 60_000);
});
