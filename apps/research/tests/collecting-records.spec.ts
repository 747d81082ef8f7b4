import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serveSite, type ServedSite, shopSite, tableSite, wikiSite } from './record-sites.ts';
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

async function collected(
  pages: ReadonlyMap<string, string>,
  prompt: string,
  headers?: ReadonlyMap<string, Record<string, string>>,
) {
  const site = await serveSite(pages, headers);
  sites.push(site);
  return collectedFrom(site, prompt);
}

async function collectedFrom(site: ServedSite, prompt: string) {
  const started = await research.call('POST', '/api/v1/search/agent/agentic-crawler', {
    prompt: `${prompt} ${site.origin}/`,
    config: { sources: ['web'] },
  });
  expect(started.status).toBe(200);
  await messagesOf(await research.connect(started.body.websocket_url));
  const { thread_id, list_id } = started.body;
  const status = await research.until(thread_id, 'completed', 'failed');
  const rows = await research.call('GET', `/api/v1/search/lists/${list_id}/rows?limit=200`);
  return {
    site,
    threadId: thread_id as string,
    status,
    rows: rows.body.data,
    events: await research.events(thread_id),
  };
}

async function expectQuoted(
  threadId: string,
  rows: readonly { cells: Record<string, { evidence: { source_id: string; quote: string; start: number }[] }> }[],
) {
  const sources = await research.ask<{ source_id: string; body: string }>(
    'SELECT source_id, body FROM sources WHERE run_id = $1',
    [threadId],
  );
  const bodies = new Map(sources.map(({ source_id, body }) => [source_id, body]));
  for (const { source_id, quote, start } of rows.flatMap(({ cells }) =>
    Object.values(cells).flatMap(({ evidence }) => evidence),
  ))
    expect(bodies.get(source_id)?.slice(start, start + quote.length)).toBe(quote);
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
    }
    await expectQuoted(threadId, rows);
    // Rows are there before the pages have all been read.
    const firstRow = events.findIndex(({ type }) => type === 'row.matched');
    expect(events.slice(firstRow).filter(({ type }) => type === 'source.fetched').length).toBeGreaterThan(10);
    expect(status.final_report ?? '').not.toContain('undefined');
  }, 120_000);

  it('leaves out what is of another kind, and what robots.txt forbids', async () => {
    const { pages, rows: wanted } = wikiSite();
    const start = pages.get('/')!.replace('</p>', '</p><p><a href="/private/rivers">More rivers</a></p>');
    const { rows, site } = await collected(
      new Map([...pages, ['/', start], ['/private/rivers', pages.get('/wiki/Alva')!]]),
      'Collect every river with columns length and mouth from',
    );
    expect(site.asked).toContain('/wiki/Alva');
    expect(rows.map(({ name }: { name: string }) => name).sort()).toEqual(wanted.map(({ name }) => name).sort());
    expect(site.asked.filter((path) => path.startsWith('/private/'))).toEqual([]);
    expect(new Set(site.asked).size).toBe(site.asked.length);
  }, 120_000);

  it('reads pages that only a sitemap names', async () => {
    const { pages, rows: wanted } = wikiSite();
    const map = [...pages.keys()]
      .filter((path) => path.startsWith('/wiki/'))
      .map((path) => `<url><loc>SITE${path.replace('&', '&amp;')}</loc></url>`)
      .join('');
    const bare = new Map(
      [...pages].map(([path, body]) => [
        path,
        path === '/' ? '<h1>Wiki</h1><p>Nothing is linked from here.</p>' : body,
      ]),
    );
    const xml = new Map([['/sitemap.xml', { 'content-type': 'application/xml' }]]);
    const site = await serveSite(bare, xml);
    sites.push(site);
    bare.set('/sitemap.xml', `<urlset>${map.replaceAll('SITE', site.origin)}</urlset>`);
    const { rows } = await collectedFrom(site, 'Collect every river with columns length and mouth from');
    expect(rows.map(({ name }: { name: string }) => name).sort()).toEqual(wanted.map(({ name }) => name).sort());
  }, 120_000);

  it.each(['rss', 'atom'])(
    'reads pages that only an %s feed names',
    async (kind) => {
      const { pages, rows: wanted } = wikiSite();
      const head = `<link rel="alternate" type="application/${kind}+xml" href="/news.xml">`;
      const bare = new Map(
        [...pages].map(([path, body]) => [
          path,
          path === '/' ? `<html><head>${head}</head><body><h1>Wiki</h1><p>Nothing is linked.</p></body></html>` : body,
        ]),
      );
      const site = await serveSite(bare, new Map([['/news.xml', { 'content-type': `application/${kind}+xml` }]]));
      sites.push(site);
      const entries = wanted.map(({ name }) => {
        const address = `${site.origin}/wiki/${name.replace(' ', '_')}?from=feed&amp;x=1`;
        return kind === 'rss'
          ? `<item><title>${name}</title><link>${address}</link></item>`
          : `<entry><title>${name}</title><link rel="edit" href="/edit"/><link href="${address}"/></entry>`;
      });
      bare.set(
        '/news.xml',
        kind === 'rss'
          ? `<rss version="2.0"><channel><link>${site.origin}/</link>${entries.join('')}</channel></rss>`
          : `<feed xmlns="http://www.w3.org/2005/Atom">${entries.join('')}</feed>`,
      );
      for (const { name } of wanted) {
        const path = `/wiki/${name.replace(' ', '_')}`;
        bare.set(`${path}?from=feed&x=1`, bare.get(path)!);
        bare.delete(path);
      }
      const { rows } = await collectedFrom(site, 'Collect every river with columns length and mouth from');
      expect(rows.map(({ name }: { name: string }) => name).sort()).toEqual(wanted.map(({ name }) => name).sort());
    },
    120_000,
  );

  it('follows no link of a page whose header forbids it', async () => {
    const { pages } = wikiSite();
    const { site } = await collected(
      pages,
      'Collect every river with columns length and mouth from',
      new Map([['/wiki/Category:Rivers', { 'x-robots-tag': 'nofollow' }]]),
    );
    expect(site.asked).toContain('/wiki/Category:Rivers');
    expect(site.asked.filter((path) => path === '/wiki/Alva')).toEqual([]);
  }, 120_000);

  it('keeps the rows of all pages of a list that name their first page as the canonical one', async () => {
    const { pages, rows: wanted } = tableSite();
    const first = '<link rel="canonical" href="/catalogue?page=1">';
    const named = [...pages].map(([path, body]) => [path, body.replace('</head>', `${first}</head>`)] as const);
    const { rows, threadId } = await collected(
      new Map(named),
      'List all books of this catalogue with author and year from',
    );
    expect(rows.map(({ name }: { name: string }) => name).sort()).toEqual(wanted.map(({ name }) => name).sort());
    await expectQuoted(threadId, rows);
  }, 120_000);

  it('takes hundreds of rows of one page, in transactions of at most 100', async () => {
    const names = Array.from({ length: 230 }, (_, index) => `Bell ${index + 1}`);
    const items = names.map((name, index) => `<tr><td>${name}</td><td>${1 + index} EUR</td></tr>`).join('');
    const table = `<table><thead><tr><th>Product</th><th>Price</th></tr></thead><tbody>${items}</tbody></table>`;
    const { rows, threadId } = await collected(
      new Map([['/', `<html><head><title>Products</title></head><body><h1>Products</h1>${table}</body></html>`]]),
      'Collect all products with columns price from',
    );
    expect(rows.map(({ name }: { name: string }) => name)).toEqual(names.slice(0, 200));
    const steps = await research.ask<{ rows: number }>(
      `SELECT count(*)::int AS rows FROM list_rows JOIN lists USING (list_id) WHERE run_id = $1 GROUP BY list_rows.created_at`,
      [threadId],
    );
    expect(steps.map(({ rows: taken }) => taken).toSorted((a, b) => a - b)).toEqual([30, 100, 100]);
  }, 120_000);

  it('outlasts pages with addresses, names and values that no database takes', async () => {
    const { pages, rows: wanted } = shopSite();
    const data = String.raw`{"@type":"Product","name":"Bell \u0000 \ud83d","url":"data:text/plain,${'x'.repeat(4_000)}","sku":"SK-1","brand":"\udd14"}`;
    const long = JSON.stringify({ '@type': 'Product', name: 'ﷺ'.repeat(200), sku: 'SK-2', brand: 'Long' });
    const script = (json: string) => `<script type="application/ld+json">${json}</script>`;
    const shop = pages.get('/shop/')!.replace('</head>', `${script(`[${data},${long}]`)}</head>`);
    const { rows, status } = await collected(
      new Map([...pages, ['/shop/', shop]]),
      'Collect all products with columns price, brand and sku from',
    );
    expect(status.error).toBeNull();
    const names = rows.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining([...wanted.map(({ name }) => name), 'ﷺ'.repeat(200)]));
  }, 120_000);

  it('says that it answers from the pages when they have nothing to collect', async () => {
    const page = '<h1>Harbour</h1><p>The harbour was dredged in 1931. The lantern on the pier was lit in 1936.</p>';
    const { status, events } = await collected(
      new Map([['/', `<html><head><title>Harbour</title></head><body>${page}</body></html>`]]),
      'Collect all volcanoes with columns height from',
    );
    expect(status.status).toBe('completed');
    const plans = events.filter(({ type }) => type === 'plan.ready');
    expect(plans).toHaveLength(2);
    expect(events.some(({ data }) => String(data.stage ?? '').startsWith('no volcanoes found'))).toBe(true);
  }, 120_000);
});
