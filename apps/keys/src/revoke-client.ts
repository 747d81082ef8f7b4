import type { revokeOAuthClient } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import type { Narrow } from './narrow/narrow.ts';
import { revokeClientTokens } from './narrow/revoke-oauth.ts';

/** Revokes an OAuth client with all its tokens; a repeat passes the same way and gives the same answer. */
export async function revokeClient(
  parts: { narrow: Narrow; database: Database; now: () => Date },
  { identity, params }: Call<typeof revokeOAuthClient>,
): Promise<JsonAnswer<typeof revokeOAuthClient>> {
  const revokedAt = await revokeClientTokens(
    parts,
    (work) => parts.database.withTenant(identity.tenantId, work),
    params.client_id,
  );
  return { body: { client_id: params.client_id, revoked: true, revoked_at: revokedAt.toISOString() } };
}
