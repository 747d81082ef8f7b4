import type { ResponseOf, getApiKey } from '@cairn/contracts';
import type { ApiKeyRow, KeyRow } from '../credentials/key-store.ts';

/** A key as the API shows it. */
export function presentKey(row: ApiKeyRow): ResponseOf<typeof getApiKey> {
  return {
    key_id: row.key_id,
    name: row.name,
    prefix: row.prefix,
    type: row.kind,
    livemode: row.livemode,
    scopes: row.scopes,
    app_permissions: row.app_permissions,
    ip_allowlist: row.ip_allowlist,
    memory_id: row.memory_id,
    space_id: row.space_id,
    rate_limit: rateLimitOf(row),
    parent_key_id: row.parent_key_id,
    rotated_from: rotationOf(row),
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    usage_count: row.usage_count,
    expires_at: row.expires_at?.toISOString() ?? null,
    revokes_at: row.revokes_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}

/** A credential's own rate; null where it has the plan's. */
export function rateLimitOf({
  requests_per_second,
  burst,
}: Pick<KeyRow, 'requests_per_second' | 'burst'>): ResponseOf<typeof getApiKey>['rate_limit'] {
  return requests_per_second === null || burst === null ? null : { requests_per_second, burst };
}

function rotationOf(row: KeyRow): ResponseOf<typeof getApiKey>['rotated_from'] {
  if (row.rotated_from === null || row.rotated_by === null) return null;
  return { key_id: row.rotated_from, rotated_by: row.rotated_by };
}
