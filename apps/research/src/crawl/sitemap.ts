import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { OutboundError } from '@cairn/outbound';
import { WorkerFailure } from '@cairn/workers';
import type { RunContext } from '../ledger/run-context.ts';
import { stepKeyOf } from '../ledger/step-key.ts';
import type { RobotsFile } from '../reading/robots.ts';
import type { CrawlDeps } from './crawl-deps.ts';
import { addPages } from './frontier.ts';
import { withHostLock } from './host-lock.ts';
import { pageUrl, siteOf } from '../reading/page-url.ts';
import type { RecordSearch } from './store-record-page.ts';

const SITEMAPS_MAX = 5;
const BYTES_MAX = 5 * 1_048_576;
const UNPACKED_MAX = 20 * 1_048_576;
const TIMEOUT_MS = 10_000;
const REDIRECTS_MAX = 3;
const CPU_MAX_MS = 3_000;
const unpack = promisify(gunzip);

/** Adds the pages of a site's sitemaps to the frontier, after those that its pages link. */
export async function addSitemaps(
  deps: CrawlDeps,
  context: RunContext,
  {
    origin,
    robots,
    goal,
    sites,
  }: { origin: string; robots: RobotsFile; goal: RecordSearch; sites: ReadonlySet<string> },
): Promise<void> {
  const named = robots.rule === 'file' ? sitemapsIn(robots.body) : [];
  const queue = (named.length > 0 ? named : [`${origin}/sitemap.xml`]).flatMap((url) => pageUrl(url, origin) ?? []);
  const seen = new Set<string>();
  while (queue.length > 0 && seen.size < SITEMAPS_MAX) {
    const url = queue.shift()!;
    if (seen.has(url) || !sites.has(siteOf(url))) continue;
    seen.add(url);
    const { sitemaps } = await context.step(`sitemap/${stepKeyOf(url)}`, async (signal) => {
      const xml = await fetchSitemap(deps, context, url, signal);
      const task = { xml, url, query: goal.query };
      const content = await deps.text
        .run(context.tenantId, task, 'readSitemap', { cpuMaxMs: CPU_MAX_MS, signal })
        .catch((error: unknown) => {
          if (error instanceof WorkerFailure) return { pages: [], sitemaps: [] };
          throw error;
        });
      const pages = content.pages.filter((page) => sites.has(siteOf(page.url)));
      return {
        result: { sitemaps: content.sitemaps },
        commit: (tx) =>
          addPages(
            tx,
            context,
            pages.map((page) => ({ ...page, depth: 1 })),
          ),
      };
    });
    queue.push(...sitemaps);
  }
}

function sitemapsIn(robots: string): string[] {
  return robots
    .split(/\r\n|\r|\n/)
    .flatMap((line) => /^sitemap:(.{1,2000})$/i.exec(line.trim())?.[1]?.trim() ?? [])
    .slice(0, SITEMAPS_MAX);
}

/** The text of a sitemap; empty when there is none. */
async function fetchSitemap(deps: CrawlDeps, context: RunContext, url: string, signal: AbortSignal): Promise<string> {
  const claim = { host: new URL(url).host, holder: `${context.runId} ${url}`, pauseMs: deps.crawlPauseMs, signal };
  try {
    const { status, body } = await withHostLock(deps.database, claim, () =>
      deps.outbound.request(url, {
        timeoutMs: TIMEOUT_MS,
        bodyMaxBytes: BYTES_MAX,
        redirectsMax: REDIRECTS_MAX,
        signal,
      }),
    );
    if (status !== 200) return '';
    const isPacked = body[0] === 0x1f && body[1] === 0x8b;
    return (isPacked ? await unpack(body, { maxOutputLength: UNPACKED_MAX }) : body).toString('utf8');
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutboundError || (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return '';
    if (String((error as { code?: string }).code).startsWith('Z_')) return '';
    throw error;
  }
}
