import type * as operations from '@cairn/contracts';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { startListSearch } from './start-list-search.ts';
import type { StartDeps } from './start-run.ts';

/** Starts a search that builds a list of companies. */
export function startCompanySearch(
  deps: StartDeps,
  request: RequestContext<typeof operations.startCompanySearch>,
): Promise<JsonResponse<typeof operations.startCompanySearch>> {
  return startListSearch(deps, request, 'company');
}
