import type { NewEvent, RunContext } from '@cairn/ledger';
import type { Outbound } from '@cairn/outbound';
import type { Tx } from '@cairn/postgres';
import type { Budget } from '../run-work/budget.ts';
import { keyOf } from '../run-work/lanes.ts';
import { inputOf } from '../run-work/run-input.ts';
import { keepSource } from '../run-work/source-store.ts';
import type { WorkParts } from '../run-work/work-parts.ts';
import { type Fetched, fetchPage, fetchRobots } from './fetch-page.ts';
import { saysTheSame } from './fingerprint.ts';
import { addPages, closePage, type FrontierPage, hostsLeft, nextPage } from './frontier.ts';
import { onHost } from './host-turns.ts';
import { pageUrl, shapeOf, siteOf } from './page-url.ts';
import { applyRobots, type PageRules, readPage, type ReadPage } from './read-away.ts';
import type { RobotsFile } from './robots.ts';

export interface CrawlParts extends WorkParts {
  outbound: Outbound;
  /** Least pause between two requests to a host. */
  crawlPauseMs: number;
}

export interface CrawlBounds {
  pagesMax: number;
  depthMax: number;
}

const REDIRECT_HOPS_MAX = 5;
/** Pages of one shape, each linked by the one before, that say nothing new: behind them lies no end. */
const STALE_MAX = 3;
/** A site that asks for longer pauses is read as slowly as this, and as little as the run's time allows. */
const CRAWL_DELAY_MAX_MS = 60_000;
const HOSTS_AT_A_TIME = 8;
const TEXT_MIN_CHARS = 40;
/** Addresses asked, whatever came of them, for each page that may be kept. */
const ASKED_PER_PAGE = 3;

/** Reads the sites that the seeds lie on into the run's sources, politely, each page once, until the bounds. */
export async function crawl(
  parts: CrawlParts,
  context: RunContext,
  seeds: readonly string[],
  bounds: CrawlBounds,
  budget: Budget,
  /** Names this crawl among several of one run. */
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
  const inTx = <T>(work: (tx: Tx) => Promise<T>) => parts.database.withTenant(context.tenantId, work);
  for (;;) {
    const hosts = (await inTx((tx) => hostsLeft(tx, context.runId))).filter((host) => !seen.has(host));
    if (hosts.length === 0) return;
    const batch = hosts.slice(0, HOSTS_AT_A_TIME);
    await Promise.all(batch.map((host) => crawlHost(parts, context, { host, sites, bounds, budget })));
    // A host whose pages were left because a bound was met is not begun again.
    for (const host of batch) seen.add(host);
  }
}

interface HostCrawl {
  host: string;
  sites: ReadonlySet<string>;
  bounds: CrawlBounds;
  budget: Budget;
}

async function crawlHost(parts: CrawlParts, context: RunContext, crawling: HostCrawl): Promise<void> {
  const { host, bounds, budget } = crawling;
  const robots = new Map<string, RobotsFile>();
  for (;;) {
    if (!(await budget.allows())) return;
    const state = await parts.database.withTenant(context.tenantId, async (tx) => {
      const [counted] = await tx.query<{ kept: number; asked: number }>(
        `SELECT (SELECT count(*) FROM sources WHERE run_id = $1 AND kind = 'web') AS kept,
                (SELECT count(*) FROM frontier WHERE run_id = $1 AND done) AS asked`,
        [context.runId],
      );
      return { ...counted!, page: await nextPage(tx, context.runId, host) };
    });
    if (state.page === null) return;
    if (state.kept >= bounds.pagesMax || state.asked >= bounds.pagesMax * ASKED_PER_PAGE) return;
    const { origin } = new URL(state.page.url);
    const file = robots.get(origin) ?? (await robotsOf(parts, context, origin));
    const rules = await applyRobots(parts.text, context, { file, origin, url: state.page.url });
    // A file that cannot be read in time forbids the whole site, and is not read again.
    robots.set(origin, rules ? file : { rule: 'disallow', reason: 'robots.txt cannot be read' });
    await visit(parts, context, crawling, state.page, rules ?? { allowed: false, crawlDelaySeconds: 0 });
  }
}

function robotsOf(parts: CrawlParts, context: RunContext, origin: string): Promise<RobotsFile> {
  return context.step(`robots/${origin}`, async (signal) => {
    const turn = { host: new URL(origin).host, holder: `${context.runId} robots`, pauseMs: parts.crawlPauseMs, signal };
    const asked = await onHost(parts.database, turn, () => fetchRobots(parts.outbound, origin, signal));
    return { result: asked };
  });
}

/** One page: asked for at its host's turn, read, kept, and its links put into the frontier, all in one step. */
async function visit(
  parts: CrawlParts,
  context: RunContext,
  { host, sites, bounds }: HostCrawl,
  page: FrontierPage,
  rules: PageRules,
): Promise<void> {
  await context.step<unknown>(`page/${keyOf(page.url)}`, async (signal) => {
    if (!rules.allowed) return skip(context, page, 'robots');
    const pauseMs = Math.min(Math.max(parts.crawlPauseMs, rules.crawlDelaySeconds * 1_000), CRAWL_DELAY_MAX_MS);
    const turn = { host, holder: `${context.runId} ${page.url}`, pauseMs, signal };
    const fetched = await onHost(parts.database, turn, () =>
      fetchPage(parts.outbound, { url: page.url, isSeed: page.depth === 0 }, signal),
    );
    if (fetched.kind === 'skipped') return skip(context, page, fetched.reason);
    if (fetched.kind === 'redirect') return redirect(context, page, fetched, sites);
    const content = await readPage(parts.text, context, page.url, fetched);
    if (content === null) return skip(context, page, 'unreadable');
    return keep(context, page, content, { sites, bounds });
  });
}

function skip(context: RunContext, page: FrontierPage, reason: string, more: readonly string[] = []) {
  return {
    result: { reason },
    events: [{ type: 'source.skipped', data: { uri: page.url, reason } }],
    commit: async (tx: Tx) => {
      for (const url of more) await addPages(tx, context, [{ url, depth: page.depth, hops: page.hops + 1 }]);
      await closePage(tx, context.runId, page.url);
    },
  };
}

/** Where a redirect leads is a page like any other: it has its own turn, robots.txt and guard. */
function redirect(
  context: RunContext,
  page: FrontierPage,
  { location }: Extract<Fetched, { kind: 'redirect' }>,
  sites: ReadonlySet<string>,
) {
  const target = pageUrl(location, page.url);
  if (page.hops >= REDIRECT_HOPS_MAX) return skip(context, page, 'redirects_exceeded');
  if (target === null) return skip(context, page, 'redirect_invalid');
  // The first page of a site may say where the site is.
  if (!sites.has(siteOf(target)) && page.depth > 0) return skip(context, page, 'redirect_elsewhere');
  return skip(context, page, 'redirect', [target]);
}

function keep(
  context: RunContext,
  page: FrontierPage,
  content: ReadPage,
  { sites, bounds }: { sites: ReadonlySet<string>; bounds: CrawlBounds },
) {
  const { fingerprint } = content;
  const isStale = page.parent !== null && page.parent_shape === page.shape && saysTheSame(page.parent, fingerprint);
  const stale = isStale ? page.stale + 1 : 0;
  const canonical = canonicalOf(content, page.url, sites);
  const body =
    content.jsonLd.length === 0 ? content.text : `${content.text}\n\n${content.jsonLd.map(jsonLdBlock).join('\n\n')}`;
  return {
    result: { stale },
    commit: async (tx: Tx): Promise<NewEvent[]> => {
      await closePage(tx, context.runId, page.url);
      if (!content.nofollow && page.depth < bounds.depthMax)
        await addPages(tx, context, linksOf(content, page, { sites, stale, fingerprint }));
      const skipped = (reason: string) => [{ type: 'source.skipped', data: { uri: page.url, reason } }];
      if (content.noindex) return skipped('noindex');
      if (content.text.trim().length < TEXT_MIN_CHARS) return skipped('empty');
      if (await isKnown(tx, context.runId, canonical, body)) return skipped('duplicate');
      const { sourceId } = await keepSource(tx, {
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

/** The address that a page says is its own, if it lies on the site. */
function canonicalOf(content: ReadPage, url: string, sites: ReadonlySet<string>): string {
  const said = content.canonical === null ? null : pageUrl(content.canonical);
  return said !== null && sites.has(siteOf(said)) ? said : url;
}

async function isKnown(tx: Tx, runId: string, origin: string, body: string): Promise<boolean> {
  const rows = await tx.query(
    'SELECT 1 FROM sources WHERE run_id = $1 AND (origin = $2 OR (md5(body) = md5($3) AND body = $3)) LIMIT 1',
    [runId, origin, body],
  );
  return rows.length > 0;
}

/** Kept with the page's text, so that what is read from it can be quoted. */
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
