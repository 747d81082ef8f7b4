import { ROLE_SCOPES } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { assertMayDelegate, assertValid } from '../credentials/calling-key.ts';
import { findKey, type KeyRow } from '../credentials/key-store.ts';
import { findMember, type Member, writeRole } from '../credentials/member-store.ts';
import { assertMayEnd } from '../ending/assert-may-end.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { restrictKey } from '../invalidation/restrict-key.ts';
import { assertMayGrant } from './member-key.ts';
import { presentMember } from './present-member.ts';

interface UpdateDeps {
  invalidate: Invalidate;
  database: Database;
  now: () => Date;
}

/**
 * Changes role and name of a member, within what the caller holds; what the role allows changes as a key's scopes do. It
 * is judged like a removal, so that nobody changes what they may not remove and one owner stays.
 */
export async function updateMember(
  deps: UpdateDeps,
  { identity, params, body }: RequestContext<typeof operations.updateMember>,
): Promise<JsonResponse<typeof operations.updateMember>> {
  assertMayDelegate(identity);
  const { withTenant } = deps.database;
  await restrictKey(deps.invalidate, (work) => withTenant(identity.tenantId, work), {
    locking: [identity.keyId],
    async decide(tx) {
      const caller = assertValid(await findKey(tx, identity.keyId), deps.now());
      const found = await findMember(tx, params.member_id);
      if (found === null) throw notFound('The member');
      const after = planChange(caller, found, body);
      await assertMayEnd(tx, {
        caller: identity,
        now: deps.now(),
        set: { keyIds: [params.member_id] },
        alone: true,
        ownersStay: body.role === undefined || body.role === found.member.role,
      });
      return { before: found.key, after };
    },
    async alongside(tx) {
      if (body.role !== undefined) await writeRole(tx, params.member_id, body.role);
    },
  });
  const changed = await withTenant(identity.tenantId, (tx) => findMember(tx, params.member_id));
  if (changed === null) throw notFound('The member');
  return { body: presentMember(changed) };
}

function planChange(
  caller: KeyRow,
  { member, key }: Member,
  body: RequestContext<typeof operations.updateMember>['body'],
): KeyRow {
  if (key.revoked_at !== null || key.closing_since !== null)
    throw new CairnError('conflict', 'The member was removed and cannot be changed.');
  const name = body.name ?? key.name;
  if (body.role === undefined || body.role === member.role) return { ...key, name };
  assertMayGrant(caller, body.role);
  return { ...key, name, scopes: [...ROLE_SCOPES[body.role]] };
}
