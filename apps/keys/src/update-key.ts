import type { updateApiKey } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { assertGood, assertMayDelegate } from './calling-key.ts';
import { findKey } from './key-store.ts';
import type { Narrow } from './narrow/narrow.ts';
import { restrictKey } from './narrow/restrict.ts';
import { planChange } from './plan-change.ts';
import { presentKey } from './present-key.ts';

/** Changes the name and the restrictions of a key, within what the calling key holds. */
export async function updateKey(
  parts: { narrow: Narrow; database: Database; now: () => Date },
  { identity, params, body }: Call<typeof updateApiKey>,
): Promise<JsonAnswer<typeof updateApiKey>> {
  assertMayDelegate(identity);
  const changed = await restrictKey(parts.narrow, (work) => parts.database.withTenant(identity.tenantId, work), {
    holding: [identity.keyId],
    async decide(tx) {
      const caller = assertGood(await findKey(tx, identity.keyId), parts.now());
      const before = await findKey(tx, params.key_id);
      if (before === null) throw notFound('The key');
      return { before, after: planChange(caller, before, body, parts.now()) };
    },
  });
  return { body: presentKey(changed) };
}
