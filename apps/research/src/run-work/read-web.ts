import type { RunContext } from '@cairn/ledger';
import { OutboundError } from '@cairn/outbound';
import { crawl, crawlBoundsOf, type CrawlBounds, type CrawlParts } from '../crawl/crawl.ts';
import type { WebSearch } from '../crawl/web-search.ts';
import type { SourceKind } from '../runs/web-options.ts';
import { analysePrompt } from './analyse.ts';
import type { Budget } from './budget.ts';
import { keyOf } from './lanes.ts';
import type { ModelParts } from './model-steps.ts';
import { inputOf } from './run-input.ts';
import type { WorkParts } from './work-parts.ts';

/** What runs reach the web with. Two ways out when the operator has a proxy: a run says which. */
export interface WebParts extends CrawlParts, ModelParts {
  proxied: CrawlParts['outbound'] | null;
  search: WebSearch | null;
}

const HITS_PER_QUESTION = 5;

/**
 * Brings what the web says into the run's sources: the seed sites are crawled, and what the operator's search engine
 * finds for the questions is read. A run that wants only its own documents never comes past the first line.
 */
export async function readWeb(
  parts: WebParts,
  context: RunContext,
  asked: string,
  questions: readonly string[],
  defaults: CrawlBounds,
  budget: Budget,
): Promise<void> {
  const { seeds, proxy } = inputOf(context);
  if (!(await sourcesOf(parts, context, asked)).includes('web')) return;
  const way = proxy && parts.proxied !== null ? { ...parts, outbound: parts.proxied } : parts;
  const bounds = crawlBoundsOf(context, defaults);
  if (seeds.length > 0) await crawl(way, context, seeds, bounds, budget);
  const { search } = parts;
  if (search === null) return;
  const found = await Promise.all(questions.map((question) => searchFor(search, context, question)));
  const urls = [...new Set(found.flat())];
  // What a search engine found is read itself; its site is not crawled.
  if (urls.length > 0) await crawl(way, context, urls, { pagesMax: bounds.pagesMax, depthMax: 0 }, budget, 'search');
}

function searchFor(search: WebSearch, context: RunContext, question: string): Promise<string[]> {
  return context.step(`websearch/${keyOf(question)}`, async (signal) => {
    try {
      const hits = await search.search(question, HITS_PER_QUESTION, signal);
      const data = { query: question, source: search.name, found: hits.length };
      return { result: hits.map(({ url }) => url), events: [{ type: 'query.issued', data }] };
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof OutboundError ? error.code : 'answer_malformed';
      const data = { origin: search.name, reason, query: question };
      return { result: [] as string[], events: [{ type: 'source.skipped', data }] };
    }
  });
}

/** Where the run may look. What a person answers counts as what they asked: they may say only then that the web is not meant. */
export async function sourcesOf(parts: WorkParts, context: RunContext, asked: string): Promise<readonly SourceKind[]> {
  const { sources } = inputOf(context);
  const isOwnOnly = await analysePrompt(parts, context, 'isForOwnDocumentsOnly', asked);
  return isOwnOnly ? sources.filter((kind) => kind !== 'web') : sources;
}
