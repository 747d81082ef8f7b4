import type { RunContext } from '../ledger/run-context.ts';
import { stepKeyOf } from '../ledger/step-key.ts';
import { OutboundError } from '@cairn/outbound';
import { crawl, crawlBoundsOf, type CrawlBounds } from '../crawl/crawl.ts';
import type { CrawlDeps } from '../crawl/crawl-deps.ts';
import { SearchRefusedError, type WebSearch } from '../crawl/web-search.ts';
import { siteOf } from '../reading/page-url.ts';
import type { SourceKind } from '../analysis/web-options.ts';
import { analysePrompt } from '../steps/analyse.ts';
import type { Budget } from '../steps/budget.ts';
import type { ModelDeps } from '../steps/ask-model.ts';
import { inputOf } from '../runs/run-input.ts';
import { countUploads } from '../sources/uploads.ts';
import type { WorkDeps } from '../steps/work-deps.ts';

/** How runs reach the web: directly, or through the operator's proxy for runs that ask for it. */
export interface WebDeps extends CrawlDeps, ModelDeps {
  proxied: CrawlDeps['outbound'] | null;
  search: WebSearch | null;
}

const HITS_PER_QUESTION = 5;
/** Sites that a search finds for a crawl. */
const SITES_MAX = 3;

/**
 * Reads the web into the run's sources: crawls the seed sites, and reads what the operator's search engine finds for
 * the questions. Returns at once for a run that is restricted to its own documents.
 */
export async function readWeb(
  deps: WebDeps,
  context: RunContext,
  asked: string,
  questions: readonly string[],
  defaults: CrawlBounds,
  budget: Budget,
): Promise<void> {
  const { seeds, proxy } = inputOf(context);
  if (!(await sourcesOf(deps, context, asked)).includes('web')) return;
  const way = proxy && deps.proxied !== null ? { ...deps, outbound: deps.proxied } : deps;
  const bounds = crawlBoundsOf(context, defaults);
  if (seeds.length > 0) await crawl(way, context, seeds, bounds, budget);
  const { search } = deps;
  if (search === null) return;
  const found = await Promise.all(questions.map((question) => searchFor(search, context, question)));
  const urls = [...new Set(found.flat())];
  // Pages from a search engine are read; their sites are not crawled.
  if (urls.length > 0)
    await crawl(way, context, urls, { pagesMax: bounds.pagesMax, depthMax: 0 }, budget, { name: 'search' });
}

/** Sites for a crawl whose prompt names none: those of the first pages that the operator's web search finds for it. */
export async function findSites({ search }: WebDeps, context: RunContext, query: string): Promise<string[]> {
  if (search === null) return [];
  const found = await searchFor(search, context, query);
  return [...new Map(found.map((url) => [siteOf(url), url])).values()].slice(0, SITES_MAX);
}

function searchFor(search: WebSearch, context: RunContext, question: string): Promise<string[]> {
  return context.step(`websearch/${stepKeyOf(question)}`, async (signal) => {
    try {
      const hits = await search.search(question, HITS_PER_QUESTION, signal);
      const data = { query: question, source: search.name, found: hits.length };
      return { result: hits.map(({ url }) => url), events: [{ type: 'query.issued', data }] };
    } catch (error) {
      signal.throwIfAborted();
      const reason =
        error instanceof OutboundError
          ? error.code
          : error instanceof SearchRefusedError
            ? `status_${error.status}`
            : 'answer_malformed';
      const data = { origin: search.name, reason, query: question };
      return { result: [] as string[], events: [{ type: 'source.skipped', data }] };
    }
  });
}

/** Where the run will look, in words: only what it can use. */
export async function placesOf(deps: WebDeps, context: RunContext, asked: string): Promise<string[]> {
  const { seeds } = inputOf(context);
  const sources = await sourcesOf(deps, context, asked);
  const files = await deps.database.withTenant(context.tenantId, (tx) => countUploads(tx, context.runId));
  const isForWeb = sources.includes('web');
  const sites = isForWeb ? [...new Set(seeds.map((seed) => new URL(seed).host))] : [];
  return [
    ...(files === 0 ? [] : [files === 1 ? 'the uploaded file' : `the ${files} uploaded files`]),
    ...(sources.includes('memory') ? ['the memory'] : []),
    ...sites,
    ...(isForWeb && deps.search !== null ? [`the web (${deps.search.name})`] : []),
  ];
}

/**
 * The kinds of sources that the run may use. An answer to a clarification counts as part of the prompt, so it too may
 * exclude some.
 */
export async function sourcesOf(deps: WorkDeps, context: RunContext, asked: string): Promise<readonly SourceKind[]> {
  const { sources, prompt } = inputOf(context);
  // What the prompt says has been heeded when the run was started.
  if (asked === prompt) return sources;
  const scope = await analysePrompt(deps, context, 'readSourceScope', { prompt: asked, named: true });
  return sources.filter((kind) => scope === 'any' || (scope === 'web') === (kind === 'web'));
}
