import type { ResponseOf, getOAuthClient } from '@cairn/contracts';
import type { ClientRow } from '../credentials/oauth-store.ts';

/** An OAuth client as the API shows it. */
export function presentClient(row: ClientRow): ResponseOf<typeof getOAuthClient> {
  return {
    client_id: row.client_id,
    name: row.name,
    livemode: row.livemode,
    scopes: row.scopes,
    parent_key_id: row.parent_key_id,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    usage_count: row.usage_count,
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}
