import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { covers } from '@cairn/identity';
import type { Database } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { assertValid, assertMayDelegate } from '../credentials/calling-key.ts';
import { capabilityOfKey } from '../credentials/coverage.ts';
import { findApiKey, findKey } from '../credentials/key-store.ts';
import { assertMayEnd } from '../ending/assert-may-end.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { restrictKey } from '../invalidation/restrict-key.ts';
import { endsWith } from '../invalidation/revoke-key.ts';
import { planChange } from './plan-change.ts';
import { presentKey } from './present-key.ts';

interface UpdateDeps {
  invalidate: Invalidate;
  database: Database;
  workerDatabase: Database;
  now: () => Date;
}

/**
 * Changes the name and the restrictions of a key, within what the calling key holds. Whoever takes rights from a key
 * must be permitted to revoke it: a key without rights is of no more use than a revoked one.
 */
export async function updateApiKey(
  deps: UpdateDeps,
  { identity, params, body }: RequestContext<typeof operations.updateApiKey>,
): Promise<JsonResponse<typeof operations.updateApiKey>> {
  assertMayDelegate(identity);
  const changed = await restrictKey(deps.invalidate, (work) => deps.database.withTenant(identity.tenantId, work), {
    locking: [identity.keyId],
    async decide(tx) {
      const caller = assertValid(await findKey(tx, identity.keyId), deps.now());
      const before = await findApiKey(tx, params.key_id);
      if (before === null) throw notFound('The key');
      const after = planChange(caller, before, body, deps.now());
      if (!covers(capabilityOfKey(after), capabilityOfKey(before)))
        await deps.workerDatabase.transaction(async (worker) =>
          assertMayEnd(worker, {
            caller: identity,
            now: deps.now(),
            set: { keyIds: await endsWith(worker, before) },
            alone: true,
          }),
        );
      return { before, after };
    },
  });
  return { body: presentKey(changed) };
}
