import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { assertValid, assertMayDelegate } from '../credentials/calling-key.ts';
import { findApiKey, findKey } from '../credentials/key-store.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { restrictKey } from '../invalidation/restrict-key.ts';
import { planChange } from './plan-change.ts';
import { presentKey } from './present-key.ts';

/** Changes the name and the restrictions of a key, within what the calling key holds. */
export async function updateApiKey(
  deps: { invalidate: Invalidate; database: Database; now: () => Date },
  { identity, params, body }: RequestContext<typeof operations.updateApiKey>,
): Promise<JsonResponse<typeof operations.updateApiKey>> {
  assertMayDelegate(identity);
  const changed = await restrictKey(deps.invalidate, (work) => deps.database.withTenant(identity.tenantId, work), {
    locking: [identity.keyId],
    async decide(tx) {
      const caller = assertValid(await findKey(tx, identity.keyId), deps.now());
      const before = await findApiKey(tx, params.key_id);
      if (before === null) throw notFound('The key');
      return { before, after: planChange(caller, before, body, deps.now()) };
    },
  });
  return { body: presentKey(changed) };
}
