import type { NewEvent } from '../ledger/run.ts';
import type { RunContext } from '../ledger/run-context.ts';
import type { Tx } from '@cairn/postgres';
import { storeSource } from '../sources/source-store.ts';
import { isNearDuplicate } from '../reading/fingerprint.ts';
import type { PageContent } from '../reading/read-html.ts';
import { recordShape } from './page-shapes.ts';
import { addPages, type FrontierPage, markPageDone } from './frontier.ts';
import { pageUrl, shapeOf, siteOf } from '../reading/page-url.ts';
import type { RankedLink } from '../records/read-record-page.ts';
import type { ReadPage } from './read-page.ts';

/**
 * Most pages in a row, of one URL shape and each linked from the one before, that bring nothing new; beyond them is a
 * crawler trap.
 */
const STALE_MAX = 3;
const TEXT_MIN_CHARS = 40;

/** How far a crawl goes. */
export interface CrawlReach {
  sites: ReadonlySet<string>;
  depthMax: number;
}

/** A page that is not read; `more` are requested in its place. */
export function skipPage(context: RunContext, page: FrontierPage, reason: string, more: readonly string[] = []) {
  return {
    result: { reason, useful: 0 },
    events: [{ type: 'source.skipped', data: { uri: page.url, reason } }],
    commit: async (tx: Tx) => {
      for (const url of more) await addPages(tx, context, [{ url, depth: page.depth, hops: page.hops + 1 }]);
      await markPageDone(tx, context.runId, page.url);
    },
  };
}

/** Stores what was read of a page, and adds its links to the frontier. */
export function storePage(context: RunContext, page: FrontierPage, content: ReadPage, { sites, depthMax }: CrawlReach) {
  const { fingerprint } = content;
  const isStale = page.parent !== null && page.parent_shape === page.shape && isNearDuplicate(page.parent, fingerprint);
  const stale = isStale ? page.stale + 1 : 0;
  return {
    result: { stale, useful: 0 },
    commit: async (tx: Tx): Promise<NewEvent[]> => {
      await markPageDone(tx, context.runId, page.url);
      await recordShape(tx, context, { shape: page.shape, fingerprint });
      if (!content.nofollow && page.depth < depthMax)
        await addPages(tx, context, linksOf(content, page, { sites, stale }), fingerprint);
      const stored = await storeContent(tx, context, page.url, content, { sites });
      return stored.events;
    },
  };
}

/** A feed is no page: the pages of its entries are as near to the start as it is. */
export function storeFeed(
  context: RunContext,
  page: FrontierPage,
  entries: readonly RankedLink[],
  sites: ReadonlySet<string>,
) {
  const pages = entries
    .filter(({ url }) => sites.has(siteOf(url)))
    .map((entry) => ({ ...entry, depth: page.depth, parent_template: page.template }));
  return {
    result: { useful: 0 },
    commit: async (tx: Tx) => {
      await addPages(tx, context, pages);
      await markPageDone(tx, context.runId, page.url);
    },
  };
}

/**
 * Stores a page's text as a source of the run, unless it may not be kept, says nothing, or is known. `isOwn` says that
 * it has something of its own, whichever page it names as its canonical one: lists name their first page.
 */
export async function storeContent(
  tx: Tx,
  context: RunContext,
  url: string,
  content: PageContent,
  { sites, isOwn = false }: Pick<CrawlReach, 'sites'> & { isOwn?: boolean },
): Promise<{ source: { source_id: string; title: string; uri: string } | null; events: NewEvent[] }> {
  const canonical = isOwn ? url : canonicalOf(content, url, sites);
  // Another page may have taken the address as its canonical one.
  const origin = isOwn ? `${url}#` : canonical;
  const body =
    content.jsonLd.length === 0 ? content.text : `${content.text}\n\n${content.jsonLd.map(jsonLdBlock).join('\n\n')}`;
  const skipped = (reason: string) => ({
    source: null,
    events: [{ type: 'source.skipped', data: { uri: url, reason } }],
  });
  if (content.noindex) return skipped('noindex');
  // A page of few words may say all that is collected: "Built in 1820."
  if (!isOwn && content.text.trim().length < TEXT_MIN_CHARS) return skipped('empty');
  if (await isKnown(tx, context.runId, origin, body)) return skipped('duplicate');
  const { sourceId } = await storeSource(tx, {
    tenantId: context.tenantId,
    run_id: context.runId,
    origin,
    kind: 'web',
    title: content.title,
    uri: canonical,
    body,
    occurredAt: null,
  });
  const source = { source_id: sourceId, title: content.title, uri: canonical };
  return { source, events: [{ type: 'source.fetched', data: { kind: 'web', ...source } }] };
}

function linksOf(
  content: ReadPage,
  page: FrontierPage,
  { sites, stale }: { sites: ReadonlySet<string>; stale: number },
) {
  const urls = [...content.links, ...content.feeds, ...(content.canonical === null ? [] : [content.canonical])];
  const links = new Set(urls.flatMap((href) => pageUrl(href) ?? []).filter((url) => sites.has(siteOf(url))));
  return [...links]
    .filter((url) => stale < STALE_MAX || shapeOf(url) !== page.shape)
    .map((url) => ({
      url,
      depth: page.depth + 1,
      stale: shapeOf(url) === page.shape ? stale : 0,
      parent_shape: page.shape,
    }));
}

/** The page's canonical URL, if it lies on a crawled site. */
function canonicalOf(content: PageContent, url: string, sites: ReadonlySet<string>): string {
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
