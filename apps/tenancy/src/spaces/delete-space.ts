import { type deleteSpace, encodeEvent } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { appendToOutbox, type Database } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { startJob } from '../jobs/job-store.ts';
import type { ClosingParts } from '../memories/begin-memory-erasure.ts';
import { findMemory } from '../memories/memory-store.ts';
import { findSpace, lockSpace, markSpaceDeleted } from './space-store.ts';

const CLOSE_TIMEOUT_MS = 3_000;

/** Deletes a space, its documents and threads: gone for callers when this answers, erased in the background. */
export async function removeSpace(
  parts: { database: Database } & ClosingParts,
  call: Call<typeof deleteSpace>,
): Promise<JsonAnswer<typeof deleteSpace>> {
  const { tenantId, livemode } = call.identity;
  const spaceId = call.params.space_id;
  const scope = await parts.database.withTenant(tenantId, async (tx) => {
    const space = (await findSpace(tx, spaceId)) && (await lockSpace(tx, spaceId));
    const memory = space === null ? null : await findMemory(tx, space.memory_id);
    if (space === null || memory === null) throw notFound('The space');
    await markSpaceDeleted(tx, spaceId);
    const detail = { livemode, memoryId: memory.memory_id, engineId: memory.engine_id, vaultId: space.vault_id };
    await startJob(tx, { tenantId, kind: 'eraseSpace', subjectId: spaceId, detail });
    const about = { tenantId, livemode, workspaceId: memory.workspace_id, memoryId: memory.memory_id };
    await appendToOutbox(tx, encodeEvent('spaceDeleted', about, { spaceId, vaultId: space.vault_id }));
    return { engineId: memory.engine_id, tenantId, memoryId: memory.memory_id, vaultId: space.vault_id, spaceId };
  });
  const options = { signal: call.signal, timeoutMs: CLOSE_TIMEOUT_MS };
  const closed = await Promise.allSettled([
    parts.keys.eraseKeys({ tenantId, memoryId: scope.memoryId, spaceId }, options),
    parts.memoryStore.closeScope({ scope }, options),
  ]);
  for (const result of closed) {
    if (result.status === 'rejected')
      parts.logger.warn({ err: result.reason, space_id: spaceId }, 'a deleted space is closed a little later');
  }
  return { body: { space_id: spaceId, deleted: true } };
}
