import type * as operations from '@cairn/contracts';
import { encodeEvent } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { appendToOutbox, type Database, type Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { CLOSE_TIMEOUT_MS, type CloseDeps } from '../memories/close-memories.ts';
import { memoryEventScope } from '../memories/memory-event-scope.ts';
import { startJob } from '../stores/job-store.ts';
import { findMemory } from '../stores/memory-store.ts';
import { markSpaceDeleted } from '../stores/space-store.ts';
import { lockLiveSpace } from './lock-live-space.ts';

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

async function beginSpaceErasure(tx: Tx, spaceId: string, livemode: boolean) {
  const space = await lockLiveSpace(tx, spaceId);
  const memory = await findMemory(tx, space.memory_id);
  if (memory === null) throw notFound('The space');
  const { tenant_id: tenantId, memory_id: memoryId, engine_id: engineId } = memory;
  const vaultId = space.vault_id;
  await markSpaceDeleted(tx, spaceId);
  await startJob(tx, {
    tenantId,
    kind: 'eraseSpace',
    subjectId: spaceId,
    detail: { livemode, memoryId, engineId, vaultId },
  });
  await appendToOutbox(tx, encodeEvent('spaceDeleted', memoryEventScope(memory, livemode), { spaceId, vaultId }));
  return { engineId, tenantId, memoryId, vaultId, spaceId };
}
