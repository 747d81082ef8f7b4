import { ROLE_SCOPES } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { assertMayDelegate, assertValid } from '../credentials/calling-key.ts';
import { findKey, type KeyRow } from '../credentials/key-store.ts';
import { findMember, type Member, writeRole } from '../credentials/member-store.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { restrictKey } from '../invalidation/restrict-key.ts';
import { assertNotLastOwner } from './last-owner.ts';
import { assertMayGrant, assertMayManage } from './member-key.ts';
import { presentMember } from './present-member.ts';

interface UpdateDeps {
  invalidate: Invalidate;
  database: Database;
  now: () => Date;
}

/** Changes role and name of a member, within what the caller holds; what the role allows changes as a key's scopes do. */
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
      return { before: found.key, after: await planChange(tx, { caller, found, body }) };
    },
    async alongside(tx) {
      if (body.role !== undefined) await writeRole(tx, params.member_id, body.role);
    },
  });
  const changed = await withTenant(identity.tenantId, (tx) => findMember(tx, params.member_id));
  if (changed === null) throw notFound('The member');
  return { body: presentMember(changed) };
}

async function planChange(
  tx: Tx,
  {
    caller,
    found,
    body,
  }: { caller: KeyRow; found: Member; body: RequestContext<typeof operations.updateMember>['body'] },
): Promise<KeyRow> {
  const { member, key } = found;
  if (key.revoked_at !== null || key.closing_since !== null)
    throw new CairnError('conflict', 'The member was removed and cannot be changed.');
  assertMayManage(caller, key);
  const name = body.name ?? key.name;
  if (body.role === undefined || body.role === member.role) return { ...key, name };
  assertMayGrant(caller, body.role);
  if (member.role === 'owner') await assertNotLastOwner(tx, member);
  return { ...key, name, scopes: [...ROLE_SCOPES[body.role]] };
}
