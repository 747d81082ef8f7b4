import { encodeEvent, type MemoryStoreService, type updateMemory } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { appendToOutbox, type Database } from '@cairn/postgres';
import { maskText, policyOf } from '@cairn/screening';
import type { Call, JsonAnswer, RpcClient } from '@cairn/service-kit';
import { presentMemory } from '../present.ts';
import { scopeOf } from './begin-memory-erasure.ts';
import { changeMemory, lockMemory, type MemoryRow } from './memory-store.ts';

/** Changes what is named and leaves the rest; `status` moves between active and suspended only. */
export async function updateTenantMemory(
  parts: { database: Database; memoryStore: RpcClient<typeof MemoryStoreService> },
  call: Call<typeof updateMemory>,
): Promise<JsonAnswer<typeof updateMemory>> {
  const { body, params, identity } = call;
  const row = await parts.database.withTenant(identity.tenantId, async (tx) => {
    const before = await lockMemory(tx, params.memory_id);
    if (before === null) throw notFound('The memory');
    if (before.status === 'deleting') throw new CairnError('conflict', 'The memory is deleting.');
    const status = body.status ?? before.status;
    if (status !== before.status && before.status !== 'active' && before.status !== 'suspended') {
      throw new CairnError('conflict', `The memory is ${before.status}.`);
    }
    const policy = body.dlp_policy ?? before.dlp_policy;
    const after = await changeMemory(tx, before.memory_id, {
      display_name:
        body.display_name === undefined ? before.display_name : await maskText(body.display_name, policyOf(policy)),
      dlp_policy: policy,
      status,
      status_reason: before.status_reason,
    });
    // While the row is held, so that two changes are told in the order they were made.
    if (body.status !== undefined) await tellMemoryStore(parts, after, call.signal);
    if (status !== before.status)
      await appendToOutbox(tx, encodeEvent('memoryChanged', scopeOf(after, identity.livemode), { status }));
    return after;
  });
  return { body: presentMemory(row) };
}

const TELL_TIMEOUT_MS = 5_000;

/**
 * Waits until every replica of the memory service refuses, or answers: what one of them remembers of the memory would
 * hold for a moment otherwise. When it cannot be asked the caller is told so and may repeat the call.
 */
async function tellMemoryStore(
  parts: { memoryStore: RpcClient<typeof MemoryStoreService> },
  row: MemoryRow,
  signal: AbortSignal,
): Promise<void> {
  const scope = { engineId: row.engine_id, tenantId: row.tenant_id, memoryId: row.memory_id };
  const suspended = row.status === 'suspended';
  await parts.memoryStore.setSuspended({ scope, suspended }, { signal, timeoutMs: TELL_TIMEOUT_MS });
}
