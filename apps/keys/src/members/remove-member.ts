import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { assertMayDelegate, assertValid } from '../credentials/calling-key.ts';
import { findKey, type KeyRow, lockKeys } from '../credentials/key-store.ts';
import { lockLineages } from '../credentials/lineage.ts';
import { findMember } from '../credentials/member-store.ts';
import { descendantsOf } from '../invalidation/descendants-of.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { closeKey, revokeLineage } from '../invalidation/revoke-lineage.ts';
import { revokeKey } from '../invalidation/revoke-key.ts';
import { assertNotLastOwner } from './last-owner.ts';
import { assertMayManage } from './member-key.ts';

interface RemoveDeps {
  invalidate: Invalidate;
  database: Database;
  workerDatabase: Database;
  now: () => Date;
}

/**
 * Removes a member, and with `descendants` everything that came of it. That it goes is decided and recorded before any
 * gateway is told, so that of two owners who remove each other one stays; a removal that is interrupted after that is
 * finished as an interrupted revocation of a lineage is.
 */
export async function removeMember(
  deps: RemoveDeps,
  { identity, params, query }: RequestContext<typeof operations.removeMember>,
): Promise<JsonResponse<typeof operations.removeMember>> {
  assertMayDelegate(identity);
  const transact = <T>(work: (tx: Tx) => Promise<T>) => deps.database.withTenant(identity.tenantId, work);
  const member = await transact((tx) =>
    close(tx, { callerId: identity.keyId, memberId: params.member_id }, deps.now()),
  );
  const removed = { member_id: params.member_id, removed: true } as const;
  if (query.descendants === true) {
    const { revokedAt, lineage } = await revokeLineage(deps, member);
    return {
      body: { ...removed, removed_at: revokedAt.toISOString(), descendants: descendantsOf(lineage, params.member_id) },
    };
  }
  const { tenantId, livemode } = identity;
  const revokedAt = await revokeKey(deps, { transact, eventScope: { tenantId, livemode } }, params.member_id);
  return { body: { ...removed, removed_at: revokedAt.toISOString() } };
}

async function close(
  tx: Tx,
  { callerId, memberId }: { callerId: string; memberId: string },
  now: Date,
): Promise<KeyRow> {
  const caller = assertValid(await findKey(tx, callerId), now);
  await lockLineages(tx, caller.owner_tenant_id, 'exclusive');
  await lockKeys(tx, [callerId, memberId]);
  const found = await findMember(tx, memberId);
  if (found === null) throw notFound('The member');
  const { member, key } = found;
  assertMayManage(caller, key);
  if (key.closing_since !== null || key.revoked_at !== null) return key;
  if (member.role === 'owner') await assertNotLastOwner(tx, member);
  await closeKey(tx, memberId);
  return key;
}
