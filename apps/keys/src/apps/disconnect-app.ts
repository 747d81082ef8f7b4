import type * as operations from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { findApp } from '../credentials/app-store.ts';
import { assertMayEnd } from '../ending/assert-may-end.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { revokeApp } from '../invalidation/revoke-app.ts';

/** Ends an app on every gateway; a repeat passes the same barriers and returns the same response. */
export async function disconnectApp(
  deps: { invalidate: Invalidate; database: Database; workerDatabase: Database; now: () => Date },
  { identity, params }: RequestContext<typeof operations.disconnectApp>,
): Promise<JsonResponse<typeof operations.disconnectApp>> {
  const transact = <T>(work: Parameters<typeof deps.database.withTenant<T>>[1]) =>
    deps.database.withTenant(identity.tenantId, work);
  // First, so that nobody can make gateways drop another tenant's app.
  const app = await transact((tx) => findApp(tx, params.app_id));
  const maySeeAll = identity.scopes.includes('oauth:read') || identity.scopes.includes('oauth:write');
  if (app === null || (app.key_id !== identity.keyId && !maySeeAll)) throw notFound('The connected app');
  if (app.key_id !== identity.keyId && !identity.scopes.includes('oauth:write'))
    throw new CairnError(
      'permission_denied',
      'The app was connected by somebody else; the key lacks scope oauth:write.',
    );
  await deps.workerDatabase.withTenant(identity.tenantId, (tx) =>
    assertMayEnd(tx, { caller: identity, now: deps.now(), set: { app }, alone: true }),
  );
  const disconnectedAt = await revokeApp(deps, transact, app.app_id);
  return { body: { app_id: app.app_id, disconnected: true, disconnected_at: disconnectedAt.toISOString() } };
}
