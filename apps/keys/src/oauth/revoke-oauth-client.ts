import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { findClient } from '../credentials/oauth-store.ts';
import { assertMayEnd } from '../ending/assert-may-end.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { revokeClientTokens } from '../invalidation/revoke-oauth.ts';

/** Revokes an OAuth client with all its tokens; a repeat passes the same barriers and returns the same response. */
export async function revokeOAuthClient(
  deps: { invalidate: Invalidate; database: Database; workerDatabase: Database; now: () => Date },
  { identity, params }: RequestContext<typeof operations.revokeOAuthClient>,
): Promise<JsonResponse<typeof operations.revokeOAuthClient>> {
  const client = await deps.database.withTenant(identity.tenantId, (tx) => findClient(tx, params.client_id));
  // Before any gateway is informed: a caller who cannot see the client must not make gateways drop it.
  if (client === null) throw notFound('The OAuth client');
  const set = { clientIds: [client.client_id] };
  await deps.workerDatabase.withTenant(identity.tenantId, (tx) =>
    assertMayEnd(tx, { caller: identity, now: deps.now(), set, alone: true }),
  );
  const revokedAt = await revokeClientTokens(
    deps,
    (work) => deps.database.withTenant(identity.tenantId, work),
    params.client_id,
  );
  return { body: { client_id: params.client_id, revoked: true, revoked_at: revokedAt.toISOString() } };
}
