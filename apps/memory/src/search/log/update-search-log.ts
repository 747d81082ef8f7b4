import type * as operations from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import type { SearchLogOperationDeps } from './search-log-deps.ts';
import { saveSettings } from './search-log-store.ts';

export async function updateSearchLog(
  deps: SearchLogOperationDeps,
  context: RequestContext<typeof operations.updateSearchLog>,
): Promise<JsonResponse<typeof operations.updateSearchLog>> {
  const memory = await deps.memories.resolve(context, context.params);
  if (memory.spaceId !== null)
    throw new CairnError(
      'memory_not_permitted',
      'Whether searches are kept is of the whole memory; the key reaches one space.',
    );
  const settings = await deps.engines.write(memory, ({ tx }) => saveSettings(tx, memory, context.body));
  deps.searchLog.forget(memory);
  return { body: { memory_id: memory.memoryId, ...settings } };
}
