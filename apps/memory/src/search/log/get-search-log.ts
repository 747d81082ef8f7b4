import type * as operations from '@cairn/contracts';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import type { SearchLogOperationDeps } from './search-log-deps.ts';
import { readSettings } from './search-log-store.ts';

export async function getSearchLog(
  deps: SearchLogOperationDeps,
  context: RequestContext<typeof operations.getSearchLog>,
): Promise<JsonResponse<typeof operations.getSearchLog>> {
  const memory = await deps.memories.resolve(context, context.params);
  const settings = await deps.engines.read(memory, ({ tx }) => readSettings(tx, memory));
  return { body: { memory_id: memory.memoryId, ...settings } };
}
