import type * as operations from '@cairn/contracts';
import { notFound, validationFailed } from '@cairn/errors';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { WorkerFailure } from '@cairn/workers';
import type { OpenMemory } from '../../memories/engines.ts';
import type { TargetMemory } from '../../memories/memory-scope.ts';
import { visibilityOf } from '../../memories/visibility.ts';
import { presentSearch } from './present-search.ts';
import type { SearchLogOperationDeps } from './search-log-deps.ts';
import { findSearch, saveFeedback } from './search-log-store.ts';

export async function rateSearch(
  deps: SearchLogOperationDeps,
  context: RequestContext<typeof operations.rateSearch>,
): Promise<JsonResponse<typeof operations.rateSearch>> {
  const { helpful, memory_id } = context.body;
  const searchId = context.params.search_id;
  const memory = await deps.memories.resolve(context, { memory_id });
  await deps.searchLog.settled(searchId);
  // Before a process is taken for the comment.
  await deps.engines.read(memory, (open) => requireSearch(open, memory, searchId));
  const comment = await maskedComment(deps, memory, context.body.comment);
  const row = await deps.engines.write(memory, async (open) => {
    await requireSearch(open, memory, searchId);
    return saveFeedback(open.tx, memory, searchId, { helpful, comment });
  });
  if (row === null) throw notFound('The search');
  return { body: presentSearch(row) };
}

async function requireSearch({ tx, closedVaults }: OpenMemory, memory: TargetMemory, searchId: string): Promise<void> {
  const found = await findSearch(tx, memory, visibilityOf(memory, closedVaults), searchId);
  if (found === null) throw notFound('The search');
}

async function maskedComment(
  { searchLog }: SearchLogOperationDeps,
  memory: TargetMemory,
  comment: string | undefined,
): Promise<string | null> {
  if (comment === undefined) return null;
  try {
    return await searchLog.mask(memory, comment);
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error;
    throw validationFailed([{ path: 'comment', message: 'could not be screened in time; send less of it' }]);
  }
}
