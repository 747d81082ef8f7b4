import type * as operations from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { revokeClientTokens } from '../invalidation/revoke-oauth.ts';

/** Revokes an OAuth client with all its tokens; a repeat passes the same barriers and returns the same response. */
export async function revokeOAuthClient(
  deps: { invalidate: Invalidate; database: Database; now: () => Date },
  { identity, params }: RequestContext<typeof operations.revokeOAuthClient>,
): Promise<JsonResponse<typeof operations.revokeOAuthClient>> {
  const revokedAt = await revokeClientTokens(
    deps,
    (work) => deps.database.withTenant(identity.tenantId, work),
    params.client_id,
  );
  return { body: { client_id: params.client_id, revoked: true, revoked_at: revokedAt.toISOString() } };
}
