import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HostileSite, startHostileSite } from './hostile-site.ts';
import { messagesOf, type ResearchHarness, startResearchHarness } from './research-harness.ts';

let research: ResearchHarness;
const sites: HostileSite[] = [];

beforeAll(async () => {
  research = await startResearchHarness({ allowPrivateNetwork: true });
});
afterAll(async () => {
  await research.close();
  await Promise.all(sites.map((site) => site.close()));
});

async function crawled(site: HostileSite, config: Record<string, unknown> = {}) {
  sites.push(site);
  const started = await research.call('POST', '/api/v1/search/agent/agentic-crawler', {
    prompt: `Read ${site.origin}/ and list what it says about the harbour and the lantern`,
    config: { sources: ['web'], ...config },
  });
  expect(started.status).toBe(200);
  await messagesOf(await research.connect(started.body.websocket_url));
  const { thread_id } = started.body;
  const sources = await research.ask<{ uri: string }>(`SELECT uri FROM sources WHERE run_id = $1 AND kind = 'web'`, [
    thread_id,
  ]);
  return {
    threadId: thread_id as string,
    paths: sources.map(({ uri }) => uri.slice(site.origin.length)),
    events: await research.events(thread_id),
    status: await research.until(thread_id, 'completed', 'failed'),
  };
}

describe('a crawl of a hostile site', () => {
  it('keeps what it may read, asks for nothing it may not, one request at a time, and comes to an end', async () => {
    const site = await startHostileSite();
    const { paths, events, status } = await crawled(site);
    expect(status.status).toBe('completed');
    const covered = paths.filter((path) => site.wanted.has(path)).length / site.wanted.size;
    expect(covered).toBeGreaterThanOrEqual(0.99);
    expect(site.asked.filter((path) => path.startsWith('/private/') && path !== '/private/open.html')).toEqual([]);
    expect(site.asked.filter((path) => path.endsWith('.cgi'))).toEqual([]);
    expect(site.busiest).toBe(1);
    expect(site.asked[0]).toBe('/robots.txt');
    expect(site.asked.filter((path) => path === '/robots.txt')).toHaveLength(1);
    expect(new Set(site.asked).size).toBe(site.asked.length);
    expect(site.asked.filter((path) => path.startsWith('/calendar/')).length).toBeLessThan(60);
    expect(paths.filter((path) => path.startsWith('/print/'))).toEqual([]);
    const reasons = new Map(
      events.flatMap(({ type, data }) =>
        type === 'source.skipped' ? [[data.uri.slice(site.origin.length), data.reason]] : [],
      ),
    );
    expect(
      Object.fromEntries(
        ['/huge', '/bomb', '/slow', '/loop/a', '/file.bin', '/broken'].map((path) => [path, reasons.get(path)]),
      ),
    ).toEqual({
      '/huge': 'body_too_large',
      '/bomb': 'body_too_large',
      '/slow': 'timed_out_after_headers',
      '/loop/a': 'redirect',
      '/file.bin': 'media_type',
      '/broken': 'status_500',
    });
    expect(reasons.get('/inside')).toBe('redirect_elsewhere');
  }, 240_000);

  it.each([
    ['404', { status: 404, body: '' }, true],
    ['403', { status: 403, body: 'User-agent: *\nDisallow: /' }, true],
    ['503', { status: 503, body: '' }, false],
    ['429', { status: 429, body: '' }, false],
  ])(
    'goes by a robots.txt that answers %s',
    async (_name, robots, reads) => {
      const site = await startHostileSite({ robots, isSlow: false });
      const { paths } = await crawled(site, { max_pages: 3 });
      expect(paths.length > 0).toBe(reads);
      if (!reads) expect(site.asked).toEqual(['/robots.txt']);
    },
    60_000,
  );

  it('waits as long between two requests as the site asks for', async () => {
    const site = await startHostileSite({
      robots: { status: 200, body: 'User-agent: *\nCrawl-delay: 1\n' },
      isSlow: false,
    });
    await crawled(site, { max_pages: 4 });
    // The first page follows robots.txt without the pause, which only robots.txt sets.
    const gaps = site.times.slice(2).map(({ startedMs }, index) => startedMs - site.times[index + 1]!.endedMs);
    expect(gaps.length).toBeGreaterThanOrEqual(2);
    for (const gap of gaps) expect(gap).toBeGreaterThan(900);
    expect(site.busiest).toBe(1);
  }, 60_000);

  it('stops at the pages it was given, and says so', async () => {
    const site = await startHostileSite({ isSlow: false });
    const { paths, events } = await crawled(site, { max_pages: 10 });
    expect(paths.length).toBeLessThanOrEqual(10);
    expect(events.filter(({ type }) => type === 'budget.warning').map(({ data }) => data.budget)).toContain('pages');
  }, 60_000);
});
