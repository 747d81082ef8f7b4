import type { endSession, ResponseOf } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { findSession } from '../credentials/session-store.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { revokeSession } from '../invalidation/revoke-session.ts';

export interface EndDeps {
  invalidate: Invalidate;
  database: Database;
  now: () => Date;
}

/** Ends a session that the tenant can see, on every gateway; throws `not_found` for any other. */
export async function endVisibleSession(
  deps: EndDeps,
  tenantId: string,
  sessionId: string,
): Promise<ResponseOf<typeof endSession>> {
  const { withTenant } = deps.database;
  // First, so that nobody can make gateways drop another tenant's session.
  if ((await withTenant(tenantId, (tx) => findSession(tx, sessionId))) === null) throw notFound('The session');
  const endedAt = await revokeSession(deps, (work) => withTenant(tenantId, work), sessionId);
  return { session_id: sessionId, ended: true, ended_at: endedAt.toISOString() };
}
