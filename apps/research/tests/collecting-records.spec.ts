import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serveSite, type ServedSite, shopSite, wikiSite } from './record-sites.ts';
import { messagesOf, type ResearchHarness, startResearchHarness } from './research-harness.ts';

let research: ResearchHarness;
const sites: ServedSite[] = [];

beforeAll(async () => {
  research = await startResearchHarness({ allowPrivateNetwork: true });
});
afterAll(async () => {
  await research.close();
  await Promise.all(sites.map((site) => site.close()));
});

async function collected(pages: ReadonlyMap<string, string>, prompt: string) {
  const site = await serveSite(pages);
  sites.push(site);
  const started = await research.call('POST', '/api/v1/search/agent/agentic-crawler', {
    prompt: `${prompt} ${site.origin}/`,
    config: { sources: ['web'] },
  });
  expect(started.status).toBe(200);
  await messagesOf(await research.connect(started.body.websocket_url));
  const { thread_id, list_id } = started.body;
  const status = await research.until(thread_id, 'completed', 'failed');
  const rows = await research.call('GET', `/api/v1/search/lists/${list_id}/rows?limit=100`);
  return {
    site,
    threadId: thread_id as string,
    status,
    rows: rows.body.data,
    events: await research.events(thread_id),
  };
}

describe('a crawl that collects records', () => {
  it('lists each entity once with the columns asked for, quoted from what was read', async () => {
    const { pages, rows: wanted } = shopSite();
    const { rows, status, threadId, events } = await collected(
      pages,
      'Collect all products with columns price, brand and sku from',
    );
    expect(status.status).toBe('completed');
    expect(rows.map(({ name }: { name: string }) => name).sort()).toEqual(wanted.map(({ name }) => name).sort());
    for (const row of rows) {
      const { cells } = wanted.find(({ name }) => name === row.name)!;
      expect(Object.keys(row.cells).sort()).toEqual(Object.keys(cells).sort());
      expect(row.cells.brand.value).toBe(cells['brand']);
      expect(row.cells.price.value).toContain(cells['price']);
      for (const { source_id, quote, start } of Object.values<{
        evidence: { source_id: string; quote: string; start: number }[];
      }>(row.cells).flatMap(({ evidence }) => evidence)) {
        const [source] = await research.ask<{ body: string }>(
          'SELECT body FROM sources WHERE run_id = $1 AND source_id = $2',
          [threadId, source_id],
        );
        expect(source?.body.slice(start, start + quote.length)).toBe(quote);
      }
    }
    // Rows are there before the pages have all been read.
    const firstRow = events.findIndex(({ type }) => type === 'row.matched');
    expect(events.slice(firstRow).filter(({ type }) => type === 'source.fetched').length).toBeGreaterThan(10);
    expect(status.final_report ?? '').not.toContain('undefined');
  }, 120_000);

  it('leaves out what is of another kind, and what robots.txt forbids', async () => {
    const { pages, rows: wanted } = wikiSite();
    const { rows, site } = await collected(
      new Map([...pages, ['/private/x', 'secret']]),
      'Collect every river with columns length and mouth from',
    );
    expect(rows.map(({ name }: { name: string }) => name).sort()).toEqual(wanted.map(({ name }) => name).sort());
    expect(site.asked.filter((path) => path.startsWith('/private/'))).toEqual([]);
    expect(new Set(site.asked).size).toBe(site.asked.length);
  }, 120_000);
});
