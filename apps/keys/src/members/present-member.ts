import type { getMember, ResponseOf } from '@cairn/contracts';
import type { Member } from '../credentials/member-store.ts';

/** A member as the API shows it. */
export function presentMember({ member, key }: Member): ResponseOf<typeof getMember> {
  return {
    member_id: member.member_id,
    email: member.email,
    name: key.name,
    role: member.role,
    scopes: key.scopes,
    invited_by: member.invited_by,
    linked: member.issuer !== null,
    created_at: member.created_at.toISOString(),
    last_signed_in_at: member.last_signed_in_at?.toISOString() ?? null,
    removed_at: key.revoked_at?.toISOString() ?? null,
  };
}
