import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { assertMayDelegate } from '../credentials/calling-key.ts';
import { findMember } from '../credentials/member-store.ts';
import { assertMayEnd } from '../ending/assert-may-end.ts';
import { descendantsOf } from '../invalidation/descendants-of.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { closeKey, revokeLineage } from '../invalidation/revoke-lineage.ts';
import { revokeKey } from '../invalidation/revoke-key.ts';

interface RemoveDeps {
  invalidate: Invalidate;
  database: Database;
  workerDatabase: Database;
  now: () => Date;
}

/**
 * Removes a member, and with `descendants` everything that came of it. That it goes is decided and recorded before any
 * gateway knows, so that of two owners who remove each other one stays; a removal that is interrupted after that is
 * finished as an interrupted revocation of a lineage is.
 */
export async function removeMember(
  deps: RemoveDeps,
  { identity, params, query }: RequestContext<typeof operations.removeMember>,
): Promise<JsonResponse<typeof operations.removeMember>> {
  assertMayDelegate(identity);
  const { tenantId, livemode } = identity;
  const { database, now } = deps;
  const found = await database.withTenant(tenantId, (tx) => findMember(tx, params.member_id));
  if (found === null) throw notFound('The member');
  const request = { caller: identity, now: now() };
  const removed = { member_id: params.member_id, removed: true } as const;
  if (query.descendants === true) {
    const { revokedAt, lineage } = await revokeLineage(deps, identity, found.key, (tx, set) =>
      assertMayEnd(tx, { ...request, set, alone: false }),
    );
    return {
      body: { ...removed, removed_at: revokedAt.toISOString(), descendants: descendantsOf(lineage, params.member_id) },
    };
  }
  const set = { keyIds: [params.member_id] };
  await closeKey(deps, identity, found.key, (tx) => assertMayEnd(tx, { ...request, set, alone: true }));
  const revokedAt = await revokeKey(
    deps,
    { transact: (work) => database.withTenant(tenantId, work), eventScope: { tenantId, livemode } },
    params.member_id,
  );
  return { body: { ...removed, removed_at: revokedAt.toISOString() } };
}
