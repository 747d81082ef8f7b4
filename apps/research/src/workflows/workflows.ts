import type { RunWork } from '../ledger/runner.ts';
import { runCrawler } from './crawler.ts';
import { runListSearch } from './list.ts';
import type { WebDeps } from './read-web.ts';
import { runResearch } from './research.ts';
import { runWebResearch } from './web.ts';

/** The workflow of each kind of run. */
export function workflowsByKind(deps: WebDeps): Record<string, RunWork> {
  return {
    web: (context) => runWebResearch(deps, context),
    crawler: (context) => runCrawler(deps, context),
    people: (context) => runListSearch(deps, context, 'people'),
    company: (context) => runListSearch(deps, context, 'company'),
    research: (context) => runResearch(deps, context),
    deep_search: (context) => runResearch(deps, context),
  };
}
