import type * as operations from '@cairn/contracts';
import { nextCursorOf, pageOf } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { visibilityOf } from '../../memories/visibility.ts';
import { presentSearch } from './present-search.ts';
import type { SearchLogOperationDeps } from './search-log-deps.ts';
import { listSearchRows } from './search-log-store.ts';

const HELPFUL = { up: true, down: false, none: null } as const;

export async function listSearches(
  deps: SearchLogOperationDeps,
  context: RequestContext<typeof operations.listSearches>,
): Promise<JsonResponse<typeof operations.listSearches>> {
  const { memory_id, space_id, unanswered, thumbs, since, until, ...paging } = context.query;
  const page = pageOf(paging);
  const memory = await deps.memories.resolve(context, { memory_id, space_id });
  const filter = {
    unanswered: unanswered === undefined ? undefined : unanswered === 'true',
    helpful: thumbs === undefined ? undefined : HELPFUL[thumbs],
    since,
    until,
    before: page.after,
    fetch: page.fetch,
  };
  const rows = await deps.engines.read(memory, ({ tx, closedVaults }) =>
    listSearchRows(tx, memory, visibilityOf(memory, closedVaults), filter),
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.search_id);
  return { body: { searches: shown.map(presentSearch), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}
