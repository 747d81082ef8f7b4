import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { findApiKey } from '../credentials/key-store.ts';
import { assertMayEnd } from '../ending/assert-may-end.ts';
import { assertMayEndKey } from '../ending/assert-may-end-key.ts';
import { descendantsOf } from '../invalidation/descendants-of.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import type { Transact } from '../invalidation/invalidate-affected.ts';
import { revokeLineage } from '../invalidation/revoke-lineage.ts';
import { revokeKey } from '../invalidation/revoke-key.ts';

interface RevokeApiKeyDeps {
  invalidate: Invalidate;
  database: Database;
  workerDatabase: Database;
  now: () => Date;
}

/**
 * Revokes a key of the tenant, which may be the caller's own, and with `descendants` its whole lineage: all of it, or
 * nothing where the caller may not end some of it. A repeat passes the same barriers and returns the same response.
 */
export async function revokeApiKey(
  deps: RevokeApiKeyDeps,
  { identity, params, query }: RequestContext<typeof operations.revokeApiKey>,
): Promise<JsonResponse<typeof operations.revokeApiKey>> {
  const { key_id } = params;
  const transact: Transact = (work) => deps.database.withTenant(identity.tenantId, work);
  if (query.descendants === true) {
    const key = await transact((tx) => findApiKey(tx, key_id));
    if (key === null) throw notFound('The key');
    const { revokedAt, lineage } = await revokeLineage(deps, identity, key, (tx, set) =>
      assertMayEnd(tx, { caller: identity, now: deps.now(), set, alone: false }),
    );
    const descendants = descendantsOf(lineage, key_id);
    return { body: { key_id, revoked: true, revoked_at: revokedAt.toISOString(), descendants } };
  }
  await assertMayEndKey(deps, identity, key_id);
  const eventScope = { tenantId: identity.tenantId, livemode: identity.livemode };
  const revokedAt = await revokeKey(deps, { transact, eventScope }, key_id);
  return { body: { key_id, revoked: true, revoked_at: revokedAt.toISOString() } };
}
