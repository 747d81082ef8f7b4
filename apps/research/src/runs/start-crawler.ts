import type * as operations from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { readOptions } from './read-options.ts';
import { startAgent } from './start-agent.ts';
import type { StartDeps } from './start-run.ts';

/** Prepares a crawl of the sites that the prompt or the configuration names, or else of those that web search finds. */
export async function startCrawler(
  deps: StartDeps,
  request: RequestContext<typeof operations.startCrawler>,
): Promise<JsonResponse<typeof operations.startCrawler>> {
  const options = await readOptions(deps, request, request.body);
  const { seeds, sources } = options;
  if (seeds.length === 0 && sources.includes('web') && !deps.hasWebSearch)
    throw validationFailed([
      {
        path: 'prompt',
        message:
          'names no site to crawl, and no web search is configured that could find one: write an address, give config.seeds, or have the operator set CAIRN_WEB_SEARCH',
      },
    ]);
  return startAgent(deps, request, { kind: 'crawler', livePage: false, options });
}
