import type { ResponseOf, getSpace, putSpaceMember } from '@cairn/contracts';
import type { MemberRow, SpaceRow } from '../stores/space-store.ts';

/** A space as the API shows it. */
export function presentSpace(row: SpaceRow, baseUrl: string): ResponseOf<typeof getSpace> {
  return {
    space_id: row.space_id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    vault_id: row.vault_id,
    memory_id: row.memory_id,
    member_count: row.member_count,
    mcp_url: `${baseUrl}/api/v1/spaces/${row.space_id}/mcp`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** A member as the API shows it. */
export function presentMember(row: MemberRow): ResponseOf<typeof putSpaceMember> {
  return {
    user: row.user_name,
    role: row.role,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
