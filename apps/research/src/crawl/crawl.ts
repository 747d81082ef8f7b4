import { stepKeyOf } from '../ledger/step-key.ts';
import type { RunContext } from '../ledger/run-context.ts';
import type { Tx } from '@cairn/postgres';
import type { Budget } from '../steps/budget.ts';
import { countRows } from '../lists/list-store.ts';
import { inputOf } from '../runs/run-input.ts';
import { changeRecord } from '../runs/run-record.ts';
import type { CrawlDeps } from './crawl-deps.ts';
import { crawlProgress } from './crawl-progress.ts';
import { type FetchResult, fetchPage, fetchRobots } from './fetch-page.ts';
import { addPages, type FrontierPage, pendingHosts, nextPage } from './frontier.ts';
import { withHostLock } from './host-lock.ts';
import { templateOf } from '../records/link-rank.ts';
import { pageUrl, siteOf } from '../reading/page-url.ts';
import { nextPageByYield } from './page-yield.ts';
import { applyRobots, type PageRules, readFeed, readPage, readRecordPage } from './read-page.ts';
import { addSitemaps } from './sitemap.ts';
import { skipPage, storeFeed, storePage } from './store-page.ts';
import { putWaiting, type RecordSearch, storeRecordPage } from './store-record-page.ts';
import type { RobotsFile } from '../reading/robots.ts';

export interface CrawlBounds {
  pagesMax: number;
  depthMax: number;
}

const REDIRECT_HOPS_MAX = 5;
/** A site that asks for a longer crawl delay is read at this pace. */
const CRAWL_DELAY_MAX_MS = 60_000;
const HOSTS_AT_A_TIME = 8;
/** Most URLs requested, whatever the outcome, for each page that may be stored. */
const REQUESTS_PER_PAGE = 3;
/** A crawl for records ends after so many pages that brought nothing, unless better ones are known. */
const IDLE_PAGES_MAX = 20;
/** Worth of a page for which such a crawl goes on all the same. */
const GO_ON_FROM = 1.2;
const PROGRESS_EVERY_PAGES = 5;

/** Crawls the sites of the seed URLs into the run's sources, politely, each page once, within the bounds. */
export async function crawl(
  deps: CrawlDeps,
  context: RunContext,
  seeds: readonly string[],
  bounds: CrawlBounds,
  budget: Budget,
  {
    name = 'seeds',
    goal = null,
  }: {
    /** Distinguishes several crawls of one run. */
    name?: string;
    /** What to collect; without it every page is as good as another. */
    goal?: RecordSearch | null;
  } = {},
): Promise<void> {
  const starts = seeds.flatMap((seed) => pageUrl(seed) ?? []);
  await context.step(`crawl/${name}`, () =>
    Promise.resolve({
      result: starts.length,
      commit: (tx) =>
        addPages(
          tx,
          context,
          starts.map((url) => ({ url, depth: 0, template: templateOf(url) })),
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
    await Promise.all(batch.map((host) => crawlHost(deps, context, { host, sites, bounds, budget, goal })));
    // A host whose pages were left because of a bound is not started again.
    for (const host of batch) seen.add(host);
  }
}

interface HostCrawl {
  host: string;
  sites: ReadonlySet<string>;
  bounds: CrawlBounds;
  budget: Budget;
  goal: RecordSearch | null;
}

async function crawlHost(deps: CrawlDeps, context: RunContext, crawling: HostCrawl): Promise<void> {
  const { host, bounds, budget, goal } = crawling;
  const robots = new Map<string, RobotsFile>();
  let idle = 0;
  for (;;) {
    if (!(await budget.allows())) return;
    const state = await deps.database.withTenant(context.tenantId, async (tx) => {
      const [counted] = await tx.query<{ stored: number; requested: number }>(
        `SELECT (SELECT count(*) FROM sources WHERE run_id = $1 AND kind = 'web') AS stored,
                (SELECT count(*) FROM frontier WHERE run_id = $1 AND done) AS requested`,
        [context.runId],
      );
      return { ...counted!, page: await (goal === null ? nextPage : nextPageByYield)(tx, context.runId, host) };
    });
    if (state.page === null) return;
    if (state.stored >= bounds.pagesMax || state.requested >= bounds.pagesMax * REQUESTS_PER_PAGE) return;
    if (goal !== null && idle >= IDLE_PAGES_MAX && (state.page.worth ?? 0) < GO_ON_FROM) return;
    const { origin } = new URL(state.page.url);
    const file = robots.get(origin) ?? (await robotsOf(deps, context, origin));
    const rules = await applyRobots(deps.text, context, { file, origin, url: state.page.url });
    if (goal !== null && rules?.allowed === true && !robots.has(origin))
      await addSitemaps(deps, context, { origin, robots: file, goal, sites: crawling.sites });
    // A robots.txt that cannot be read in time disallows the whole site and is not requested again.
    robots.set(origin, rules ? file : { rule: 'disallow', reason: 'robots.txt cannot be parsed in time' });
    const visited = rules ?? { allowed: false, crawlDelaySeconds: 0 };
    const brought = await visitPage(deps, context, crawling, state.page, visited);
    idle = brought > 0 ? 0 : idle + 1;
    if (goal !== null && state.stored % PROGRESS_EVERY_PAGES === 0)
      await showProgress(context, goal, { pages: state.stored, pagesMax: bounds.pagesMax });
  }
}

function robotsOf(deps: CrawlDeps, context: RunContext, origin: string): Promise<RobotsFile> {
  return context.step(`robots/${origin}`, async (signal) => {
    const claim = { host: new URL(origin).host, holder: `${context.runId} robots`, pauseMs: deps.crawlPauseMs, signal };
    const robots = await withHostLock(deps.database, claim, () => fetchRobots(deps.outbound, origin, signal));
    return { result: robots };
  });
}

/** Reports how far a crawl for records is. Its share never falls, though more and more pages become known. */
function showProgress(
  context: RunContext,
  { target }: RecordSearch,
  { pages, pagesMax }: { pages: number; pagesMax: number },
): Promise<null> {
  return context.step(`progress/pages/${pages}`, () =>
    Promise.resolve({
      result: null,
      commit: async (tx: Tx) => {
        const rows = await countRows(tx, target.listId);
        const [known] = await tx.query<{ waiting: number; percent: number }>(
          `SELECT (SELECT count(*)::int FROM frontier WHERE run_id = $1 AND NOT done) AS waiting, percent
             FROM research_runs WHERE run_id = $1`,
          [context.runId],
        );
        const { stage, percent: reached } = crawlProgress({ pages, waiting: known!.waiting, pagesMax, rows });
        const percent = Math.max(known!.percent, reached);
        await changeRecord(tx, context.runId, { stage, percent });
        return [{ type: 'run.progress', data: { stage, percent, pages, pages_max: pagesMax, rows } }];
      },
    }),
  );
}

/**
 * Requests one page under its host's lock, reads and stores it, and adds its links to the frontier, all in one step.
 * Returns how much it brought of what is collected.
 */
async function visitPage(
  deps: CrawlDeps,
  context: RunContext,
  { host, sites, bounds, goal }: HostCrawl,
  page: FrontierPage,
  rules: PageRules,
): Promise<number> {
  const reach = { sites, depthMax: bounds.depthMax };
  const visited = await context.step<{ useful?: number; waiting?: number }>(
    `page/${stepKeyOf(page.url)}`,
    async (signal) => {
      if (!rules.allowed) return skipPage(context, page, 'robots');
      const pauseMs = Math.min(Math.max(deps.crawlPauseMs, rules.crawlDelaySeconds * 1_000), CRAWL_DELAY_MAX_MS);
      const claim = { host, holder: `${context.runId} ${page.url}`, pauseMs, signal };
      const fetched = await withHostLock(deps.database, claim, () =>
        fetchPage(deps.outbound, { url: page.url, isSeed: page.depth === 0 }, signal),
      );
      if (fetched.kind === 'skipped') return skipPage(context, page, fetched.reason);
      if (fetched.kind === 'redirect') return redirect(context, page, fetched, sites);
      if (fetched.kind === 'feed') {
        const entries = await readFeed(deps.text, context, { page, query: goal?.query ?? null }, fetched.body);
        return entries === null ? skipPage(context, page, 'unreadable') : storeFeed(context, page, entries, sites);
      }
      if (goal !== null && fetched.html) {
        const content = await readRecordPage(deps.text, context, { page, query: goal.query }, fetched);
        return content === null
          ? skipPage(context, page, 'unreadable')
          : storeRecordPage(context, page, content, { reach, goal });
      }
      const content = await readPage(deps.text, context, page.url, fetched);
      return content === null ? skipPage(context, page, 'unreadable') : storePage(context, page, content, reach);
    },
  );
  if (goal !== null) await putAllWaiting(context, goal, page.url, visited.waiting ?? 0);
  return visited.useful ?? 0;
}

/** Puts what a page has more of rows than a transaction takes, some at a time. */
async function putAllWaiting(
  context: RunContext,
  { target }: RecordSearch,
  url: string,
  waiting: number,
): Promise<void> {
  for (let left = waiting, turn = 1; left > 0; turn += 1) {
    const now = left;
    const put = () => Promise.resolve(putWaiting(context, target, now));
    left = (await context.step(`page/${stepKeyOf(url)}/rows/${turn}`, put)).left;
  }
}

/** The target of a redirect is a page like any other, with its own host lock, robots.txt and address check. */
function redirect(
  context: RunContext,
  page: FrontierPage,
  { location }: Extract<FetchResult, { kind: 'redirect' }>,
  sites: ReadonlySet<string>,
) {
  const target = pageUrl(location, page.url);
  if (page.hops >= REDIRECT_HOPS_MAX) return skipPage(context, page, 'redirects_exceeded');
  if (target === null) return skipPage(context, page, 'redirect_invalid');
  // The first page of a site may redirect to where the site really is.
  if (!sites.has(siteOf(target)) && page.depth > 0) return skipPage(context, page, 'redirect_elsewhere');
  return skipPage(context, page, 'redirect', [target]);
}

export function crawlBoundsOf(context: RunContext, defaults: CrawlBounds): CrawlBounds {
  const { max_pages: pages, max_depth: depth } = inputOf(context);
  return {
    pagesMax: Math.min(pages ?? defaults.pagesMax, defaults.pagesMax),
    depthMax: Math.min(depth ?? defaults.depthMax, defaults.depthMax),
  };
}
