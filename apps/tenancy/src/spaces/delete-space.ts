import type * as operations from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { CLOSE_TIMEOUT_MS, type CloseDeps } from '../memories/close-memories.ts';
import { beginSpaceErasure } from './begin-space-erasure.ts';

/** Deletes a space, its documents and threads: gone for callers when this returns, erased in the background. */
export async function deleteSpace(
  deps: { database: Database } & CloseDeps,
  context: RequestContext<typeof operations.deleteSpace>,
): Promise<JsonResponse<typeof operations.deleteSpace>> {
  const { tenantId, livemode } = context.identity;
  const spaceId = context.params.space_id;
  const scope = await deps.database.withTenant(tenantId, (tx) => beginSpaceErasure(tx, spaceId, livemode));
  const options = { signal: context.signal, timeoutMs: CLOSE_TIMEOUT_MS };
  const results = await Promise.allSettled([
    deps.keys.eraseKeys({ tenantId, memoryId: scope.memoryId, spaceId }, options),
    deps.memoryStore.closeScope({ scope }, options),
  ]);
  for (const result of results) {
    if (result.status === 'rejected')
      deps.logger.warn(
        { err: result.reason, space_id: spaceId },
        'spaces: closing a deleted space failed; its erasure will close it',
      );
  }
  return { body: { space_id: spaceId, deleted: true } };
}
