import { encodeEvent, type updateMemory } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { appendToOutbox, type Database } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { presentMemory } from '../present.ts';
import { scopeOf } from './begin-memory-erasure.ts';
import { changeMemory, lockMemory } from './memory-store.ts';

/** Changes what is named and leaves the rest; `status` moves between active and suspended only. */
export async function updateTenantMemory(
  parts: { database: Database },
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
    const after = await changeMemory(tx, before.memory_id, {
      display_name: body.display_name ?? before.display_name,
      dlp_policy: body.dlp_policy ?? before.dlp_policy,
      status,
      status_reason: before.status_reason,
    });
    if (status !== before.status)
      await appendToOutbox(tx, encodeEvent('memoryChanged', scopeOf(after, identity.livemode), { status }));
    return after;
  });
  return { body: presentMemory(row) };
}
