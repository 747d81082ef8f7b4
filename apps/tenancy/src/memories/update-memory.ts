import type * as operations from '@cairn/contracts';
import { encodeEvent, memorySettingsOf, type MemoryStoreService } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { appendToOutbox, type Database } from '@cairn/postgres';
import { maskText, policyOf } from '@cairn/screening';
import type { JsonResponse, RequestContext, RpcClient } from '@cairn/service-kit';
import { changeMemory, lockMemory, type MemoryRow } from '../stores/memory-store.ts';
import { memoryEventScope } from './memory-event-scope.ts';
import { presentMemory } from './present-memory.ts';

/** Changes the given fields and leaves the rest; `status` moves between active and suspended only. */
export async function updateMemory(
  deps: { database: Database; memoryStore: RpcClient<typeof MemoryStoreService> },
  context: RequestContext<typeof operations.updateMemory>,
): Promise<JsonResponse<typeof operations.updateMemory>> {
  const { body, params, identity } = context;
  const row = await deps.database.withTenant(identity.tenantId, async (tx) => {
    const before = await lockMemory(tx, params.memory_id);
    if (before === null) throw notFound('The memory');
    if (before.status === 'deleting') throw new CairnError('conflict', 'The memory is deleting.');
    const status = body.status ?? before.status;
    if (status !== before.status && before.status !== 'active' && before.status !== 'suspended') {
      throw new CairnError('conflict', `The memory is ${before.status}.`);
    }
    const settings = memorySettingsOf(before, body);
    const after = await changeMemory(tx, before.memory_id, {
      display_name:
        body.display_name === undefined
          ? before.display_name
          : await maskText(body.display_name, policyOf(settings.dlp_policy)),
      ...settings,
      status,
      status_reason: before.status_reason,
    });
    // While the row is locked, so that two changes reach the memory service in the order they were made.
    if (body.status !== undefined) await propagateStatus(deps, after, context.signal);
    if (status !== before.status)
      await appendToOutbox(tx, encodeEvent('memoryChanged', memoryEventScope(after, identity.livemode), { status }));
    return after;
  });
  return { body: presentMemory(row) };
}

const PROPAGATE_TIMEOUT_MS = 5_000;

/**
 * Waits until every replica of the memory service refuses, or serves, the memory: a cached status would hold for a
 * moment otherwise. When the service cannot be reached the operation fails, and the caller may repeat it.
 */
async function propagateStatus(
  deps: { memoryStore: RpcClient<typeof MemoryStoreService> },
  row: MemoryRow,
  signal: AbortSignal,
): Promise<void> {
  const scope = { engineId: row.engine_id, tenantId: row.tenant_id, memoryId: row.memory_id };
  const suspended = row.status === 'suspended';
  await deps.memoryStore.setSuspended({ scope, suspended }, { signal, timeoutMs: PROPAGATE_TIMEOUT_MS });
}
