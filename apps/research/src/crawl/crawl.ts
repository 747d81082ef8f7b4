import type { NewEvent } from '../ledger/run.ts';
import { stepKeyOf } from '../ledger/step-key.ts';
import type { RunContext } from '../ledger/run-context.ts';
import type { Outbound } from '@cairn/outbound';
import type { Tx } from '@cairn/postgres';
import type { Budget } from '../steps/budget.ts';
import { inputOf } from '../runs/run-input.ts';
import { storeSource } from '../sources/source-store.ts';
import type { WorkDeps } from '../steps/work-deps.ts';
import { type Fetched, fetchPage, fetchRobots } from './fetch-page.ts';
import { isNearDuplicate } from '../reading/fingerprint.ts';
import { addPages, markPageDone, type FrontierPage, pendingHosts, nextPage } from './frontier.ts';
import { withHostLock } from './host-lock.ts';
import { pageUrl, shapeOf, siteOf } from './page-url.ts';
import { applyRobots, type PageRules, readPage, type ReadPage } from './read-page.ts';
import type { RobotsFile } from '../reading/robots.ts';

export interface CrawlDeps extends WorkDeps {
  outbound: Outbound;
  /** Shortest pause between two requests to a host. */
  crawlPauseMs: number;
}

export interface CrawlBounds {
  pagesMax: number;
  depthMax: number;
}

const REDIRECT_HOPS_MAX = 5;
/**
 * Most pages in a row, of one URL shape and each linked from the one before, that bring nothing new; beyond them is a
 * crawler trap.
 */
const STALE_MAX = 3;
/** A site that asks for a longer crawl delay is read at this pace. */
const CRAWL_DELAY_MAX_MS = 60_000;
const HOSTS_AT_A_TIME = 8;
const TEXT_MIN_CHARS = 40;
/** Most URLs requested, whatever the outcome, for each page that may be stored. */
const REQUESTS_PER_PAGE = 3;

/** Crawls the sites of the seed URLs into the run's sources, politely, each page once, within the bounds. */
export async function crawl(
  deps: CrawlDeps,
  context: RunContext,
  seeds: readonly string[],
  bounds: CrawlBounds,
  budget: Budget,
  /** Distinguishes several crawls of one run. */
  name = 'seeds',
): Promise<void> {
  const starts = seeds.flatMap((seed) => pageUrl(seed) ?? []);
  await context.step(`crawl/${name}`, () =>
    Promise.resolve({
      result: starts.length,
      commit: (tx) =>
        addPages(
          tx,
          context,
          starts.map((url) => ({ url, depth: 0 })),
        ),
    }),
  );
  const sites = new Set(starts.map(siteOf));
  const seen = new Set<string>();
  const inTx = <T>(work: (tx: Tx) => Promise<T>) => deps.database.withTenant(context.tenantId, work);
  for (;;) {
    const hosts = (await inTx((tx) => pendingHosts(tx, context.runId))).filter((host) => !seen.has(host));
    if (hosts.length === 0) return;
    const batch = hosts.slice(0, HOSTS_AT_A_TIME);
    await Promise.all(batch.map((host) => crawlHost(deps, context, { host, sites, bounds, budget })));
    // A host whose pages were left because of a bound is not started again.
    for (const host of batch) seen.add(host);
  }
}

interface HostCrawl {
  host: string;
  sites: ReadonlySet<string>;
  bounds: CrawlBounds;
  budget: Budget;
}

async function crawlHost(deps: CrawlDeps, context: RunContext, crawling: HostCrawl): Promise<void> {
  const { host, bounds, budget } = crawling;
  const robots = new Map<string, RobotsFile>();
  for (;;) {
    if (!(await budget.allows())) return;
    const state = await deps.database.withTenant(context.tenantId, async (tx) => {
      const [counted] = await tx.query<{ stored: number; requested: number }>(
        `SELECT (SELECT count(*) FROM sources WHERE run_id = $1 AND kind = 'web') AS stored,
                (SELECT count(*) FROM frontier WHERE run_id = $1 AND done) AS requested`,
        [context.runId],
      );
      return { ...counted!, page: await nextPage(tx, context.runId, host) };
    });
    if (state.page === null) return;
    if (state.stored >= bounds.pagesMax || state.requested >= bounds.pagesMax * REQUESTS_PER_PAGE) return;
    const { origin } = new URL(state.page.url);
    const file = robots.get(origin) ?? (await robotsOf(deps, context, origin));
    const rules = await applyRobots(deps.text, context, { file, origin, url: state.page.url });
    // A robots.txt that cannot be read in time disallows the whole site and is not requested again.
    robots.set(origin, rules ? file : { rule: 'disallow', reason: 'robots.txt cannot be parsed in time' });
    await visitPage(deps, context, crawling, state.page, rules ?? { allowed: false, crawlDelaySeconds: 0 });
  }
}

function robotsOf(deps: CrawlDeps, context: RunContext, origin: string): Promise<RobotsFile> {
  return context.step(`robots/${origin}`, async (signal) => {
    const claim = { host: new URL(origin).host, holder: `${context.runId} robots`, pauseMs: deps.crawlPauseMs, signal };
    const robots = await withHostLock(deps.database, claim, () => fetchRobots(deps.outbound, origin, signal));
    return { result: robots };
  });
}

/**
 * Requests one page under its host's lock, reads and stores it, and adds its links to the frontier, all in one step.
 */
async function visitPage(
  deps: CrawlDeps,
  context: RunContext,
  { host, sites, bounds }: HostCrawl,
  page: FrontierPage,
  rules: PageRules,
): Promise<void> {
  await context.step<unknown>(`page/${stepKeyOf(page.url)}`, async (signal) => {
    if (!rules.allowed) return skip(context, page, 'robots');
    const pauseMs = Math.min(Math.max(deps.crawlPauseMs, rules.crawlDelaySeconds * 1_000), CRAWL_DELAY_MAX_MS);
    const claim = { host, holder: `${context.runId} ${page.url}`, pauseMs, signal };
    const fetched = await withHostLock(deps.database, claim, () =>
      fetchPage(deps.outbound, { url: page.url, isSeed: page.depth === 0 }, signal),
    );
    if (fetched.kind === 'skipped') return skip(context, page, fetched.reason);
    if (fetched.kind === 'redirect') return redirect(context, page, fetched, sites);
    const content = await readPage(deps.text, context, page.url, fetched);
    if (content === null) return skip(context, page, 'unreadable');
    return storePage(context, page, content, { sites, bounds });
  });
}

function skip(context: RunContext, page: FrontierPage, reason: string, more: readonly string[] = []) {
  return {
    result: { reason },
    events: [{ type: 'source.skipped', data: { uri: page.url, reason } }],
    commit: async (tx: Tx) => {
      for (const url of more) await addPages(tx, context, [{ url, depth: page.depth, hops: page.hops + 1 }]);
      await markPageDone(tx, context.runId, page.url);
    },
  };
}

/** The target of a redirect is a page like any other, with its own host lock, robots.txt and address check. */
function redirect(
  context: RunContext,
  page: FrontierPage,
  { location }: Extract<Fetched, { kind: 'redirect' }>,
  sites: ReadonlySet<string>,
) {
  const target = pageUrl(location, page.url);
  if (page.hops >= REDIRECT_HOPS_MAX) return skip(context, page, 'redirects_exceeded');
  if (target === null) return skip(context, page, 'redirect_invalid');
  // The first page of a site may redirect to where the site really is.
  if (!sites.has(siteOf(target)) && page.depth > 0) return skip(context, page, 'redirect_elsewhere');
  return skip(context, page, 'redirect', [target]);
}

function storePage(
  context: RunContext,
  page: FrontierPage,
  content: ReadPage,
  { sites, bounds }: { sites: ReadonlySet<string>; bounds: CrawlBounds },
) {
  const { fingerprint } = content;
  const isStale = page.parent !== null && page.parent_shape === page.shape && isNearDuplicate(page.parent, fingerprint);
  const stale = isStale ? page.stale + 1 : 0;
  const canonical = canonicalOf(content, page.url, sites);
  const body =
    content.jsonLd.length === 0 ? content.text : `${content.text}\n\n${content.jsonLd.map(jsonLdBlock).join('\n\n')}`;
  return {
    result: { stale },
    commit: async (tx: Tx): Promise<NewEvent[]> => {
      await markPageDone(tx, context.runId, page.url);
      if (!content.nofollow && page.depth < bounds.depthMax)
        await addPages(tx, context, linksOf(content, page, { sites, stale, fingerprint }));
      const skipped = (reason: string) => [{ type: 'source.skipped', data: { uri: page.url, reason } }];
      if (content.noindex) return skipped('noindex');
      if (content.text.trim().length < TEXT_MIN_CHARS) return skipped('empty');
      if (await isKnown(tx, context.runId, canonical, body)) return skipped('duplicate');
      const { sourceId } = await storeSource(tx, {
        tenantId: context.tenantId,
        run_id: context.runId,
        origin: canonical,
        kind: 'web',
        title: content.title,
        uri: canonical,
        body,
        occurredAt: null,
      });
      const data = { source_id: sourceId, kind: 'web', title: content.title, uri: canonical };
      return [{ type: 'source.fetched', data }];
    },
  };
}

function linksOf(
  content: ReadPage,
  page: FrontierPage,
  { sites, stale, fingerprint }: { sites: ReadonlySet<string>; stale: number; fingerprint: number[] },
) {
  const urls = [...content.links, ...(content.canonical === null ? [] : [content.canonical])];
  const links = new Set(urls.flatMap((href) => pageUrl(href) ?? []).filter((url) => sites.has(siteOf(url))));
  return [...links]
    .filter((url) => stale < STALE_MAX || shapeOf(url) !== page.shape)
    .map((url) => ({
      url,
      depth: page.depth + 1,
      stale: shapeOf(url) === page.shape ? stale : 0,
      parent: fingerprint,
      parent_shape: page.shape,
    }));
}

/** The page's canonical URL, if it lies on a crawled site. */
function canonicalOf(content: ReadPage, url: string, sites: ReadonlySet<string>): string {
  const canonical = content.canonical === null ? null : pageUrl(content.canonical);
  return canonical !== null && sites.has(siteOf(canonical)) ? canonical : url;
}

async function isKnown(tx: Tx, runId: string, origin: string, body: string): Promise<boolean> {
  const rows = await tx.query(
    'SELECT 1 FROM sources WHERE run_id = $1 AND (origin = $2 OR (md5(body) = md5($3) AND body = $3)) LIMIT 1',
    [runId, origin, body],
  );
  return rows.length > 0;
}

/** Stored with the page's text, so that facts from it can be quoted. */
function jsonLdBlock(json: string): string {
  return `\`\`\`json\n${json.trim()}\n\`\`\``;
}

export function crawlBoundsOf(context: RunContext, defaults: CrawlBounds): CrawlBounds {
  const { max_pages: pages, max_depth: depth } = inputOf(context);
  return {
    pagesMax: Math.min(pages ?? defaults.pagesMax, defaults.pagesMax),
    depthMax: Math.min(depth ?? defaults.depthMax, defaults.depthMax),
  };
}
