import type * as operations from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { covers } from '@cairn/identity';
import type { Database, Tx } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { assertValid, assertMayDelegate } from '../credentials/calling-key.ts';
import { capabilityOfKey } from '../credentials/coverage.ts';
import { type ApiKeyRow, findApiKey, findKey, type KeyRow } from '../credentials/key-store.ts';
import { assertMayEndKey } from '../ending/assert-may-end-key.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import type { Transact } from '../invalidation/invalidate-affected.ts';
import { type Change, restrictKey } from '../invalidation/restrict-key.ts';
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
  const transact: Transact = (work) => deps.database.withTenant(identity.tenantId, work);
  const plan = async (tx: Tx): Promise<Change<ApiKeyRow>> => {
    const caller = assertValid(await findKey(tx, identity.keyId), deps.now());
    const before = await findApiKey(tx, params.key_id);
    if (before === null) throw notFound('The key');
    return { before, after: planChange(caller, before, body, deps.now()) };
  };
  const mayReduce = reduces(await transact(plan));
  if (mayReduce) await assertMayEndKey(deps, identity, params.key_id);
  const changed = await restrictKey(deps.invalidate, transact, {
    locking: [identity.keyId],
    async decide(tx) {
      const change = await plan(tx);
      // The key received, in the meantime, rights that the request would take from it.
      if (reduces(change) && !mayReduce)
        throw new CairnError('unavailable', 'The key changes too often right now.', { retryAfterSeconds: 1 });
      return change;
    },
  });
  return { body: presentKey(changed) };
}

function reduces({ before, after }: Change<KeyRow>): boolean {
  return !covers(capabilityOfKey(after), capabilityOfKey(before));
}
