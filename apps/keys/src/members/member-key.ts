import { randomBytes } from 'node:crypto';
import { newId, ROLE_SCOPES, type Role } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { assertCovered, capabilityOfKey } from '../credentials/coverage.ts';
import type { insertKey, KeyRow } from '../credentials/key-store.ts';

type NewKeyRow = Parameters<typeof insertKey>[1];

const SHA256_BYTES = 32;

/** The row of api_keys of a new member. Its digest is random, so that no secret has it. */
export function memberKey(inviter: KeyRow, member: { name: string; role: Role }): NewKeyRow {
  return {
    tenant_id: inviter.tenant_id,
    owner_tenant_id: inviter.owner_tenant_id,
    key_id: newId('member'),
    name: member.name,
    prefix: '',
    sha256: randomBytes(SHA256_BYTES),
    kind: 'member',
    livemode: inviter.livemode,
    scopes: [...ROLE_SCOPES[member.role]],
    app_permissions: {},
    ip_allowlist: [],
    memory_id: null,
    space_id: null,
    requests_per_second: null,
    burst: null,
    // What came of a credential can be followed and revoked with it, people included.
    parent_key_id: inviter.key_id,
    rotated_from: null,
    rotated_by: null,
    expires_at: null,
    expires_by: null,
  };
}

/** Throws `permission_denied` for a credential that may not make somebody a member with this role. */
export function assertMayGrant(caller: KeyRow, role: Role): void {
  if (!caller.livemode)
    throw new CairnError('permission_denied', 'Members belong to the live environment; use a live key.');
  assertCovered(caller, capabilityOfKey(memberKey(caller, { name: '', role })));
}

/** Throws `permission_denied` for a credential that holds less than the member does. */
export function assertMayManage(caller: KeyRow, member: KeyRow): void {
  assertCovered(caller, capabilityOfKey(member));
}
