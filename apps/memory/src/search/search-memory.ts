import type * as operations from '@cairn/contracts';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { runSearch } from './run-search.ts';
import type { SearchDeps } from './search-deps.ts';

/** The search with one JSON body as its response; its citations are numbered as the answer uses them. */
export async function searchMemory(
  deps: SearchDeps,
  context: RequestContext<typeof operations.searchMemory>,
): Promise<JsonResponse<typeof operations.searchMemory>> {
  const search = runSearch(deps, context, context.body, { isStreamed: false });
  for (;;) {
    const step = await search.next();
    if (step.done === true) return { body: step.value };
  }
}
