import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { visibilityOf } from '../../memories/visibility.ts';
import { presentSearch } from './present-search.ts';
import type { SearchLogOperationDeps } from './search-log-deps.ts';
import { findSearch } from './search-log-store.ts';

export async function getSearch(
  deps: SearchLogOperationDeps,
  context: RequestContext<typeof operations.getSearch>,
): Promise<JsonResponse<typeof operations.getSearch>> {
  const searchId = context.params.search_id;
  const memory = await deps.memories.resolve(context, context.query);
  await deps.searchLog.settled(searchId);
  const row = await deps.engines.read(memory, ({ tx, closedVaults }) =>
    findSearch(tx, memory, visibilityOf(memory, closedVaults), searchId),
  );
  if (row === null) throw notFound('The search');
  return { body: presentSearch(row) };
}
