import type * as operations from '@cairn/contracts';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { startListSearch } from './start-list-search.ts';
import type { StartDeps } from './start-run.ts';

/** Starts a search that builds a list of people. */
export function startPeopleSearch(
  deps: StartDeps,
  request: RequestContext<typeof operations.startPeopleSearch>,
): Promise<JsonResponse<typeof operations.startPeopleSearch>> {
  return startListSearch(deps, request, 'people');
}
