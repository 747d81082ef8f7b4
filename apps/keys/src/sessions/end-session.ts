import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { findSession } from '../credentials/session-store.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { revokeSession } from '../invalidation/revoke-session.ts';
import { withoutSessionCookie } from './session-cookie.ts';

interface EndDeps {
  invalidate: Invalidate;
  database: Database;
  now: () => Date;
}

/** Ends a session of the environment; a repeat passes the same barriers and returns the same response. */
export async function endSession(
  deps: EndDeps,
  { identity, params }: RequestContext<typeof operations.endSession>,
): Promise<JsonResponse<typeof operations.endSession>> {
  return { body: await end(deps, identity.tenantId, params.session_id) };
}

/** Ends the session of the request, and takes its cookie away. */
export async function signOut(
  deps: EndDeps & { baseUrl: string },
  { identity }: RequestContext<typeof operations.signOut>,
): Promise<JsonResponse<typeof operations.signOut>> {
  const body = await end(deps, identity.tenantId, identity.credentialId);
  return { body, headers: withoutSessionCookie(deps.baseUrl) };
}

async function end(deps: EndDeps, tenantId: string, sessionId: string) {
  // Before any gateway is told: a caller who cannot see the session must not make gateways drop it.
  if ((await deps.database.withTenant(tenantId, (tx) => findSession(tx, sessionId))) === null)
    throw notFound('The session');
  const endedAt = await revokeSession(deps, (work) => deps.database.withTenant(tenantId, work), sessionId);
  return { session_id: sessionId, ended: true as const, ended_at: endedAt.toISOString() };
}
