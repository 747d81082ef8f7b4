import type { endSession, ResponseOf } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import type { Database } from '@cairn/postgres';
import { findSession } from '../credentials/session-store.ts';
import { assertMayEnd } from '../ending/assert-may-end.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { revokeSession } from '../invalidation/revoke-session.ts';

export interface EndDeps {
  invalidate: Invalidate;
  database: Database;
  workerDatabase: Database;
  now: () => Date;
}

/** Ends a session that the caller can see and may end, on every gateway; throws `not_found` for any other tenant's. */
export async function endVisibleSession(
  deps: EndDeps,
  caller: Identity,
  sessionId: string,
): Promise<ResponseOf<typeof endSession>> {
  const { withTenant } = deps.database;
  // First, so that nobody can make gateways drop another tenant's session.
  const session = await withTenant(caller.tenantId, (tx) => findSession(tx, sessionId));
  if (session === null) throw notFound('The session');
  await deps.workerDatabase.withTenant(caller.tenantId, (tx) =>
    assertMayEnd(tx, { caller, now: deps.now(), set: { session }, alone: true }),
  );
  const endedAt = await revokeSession(deps, (work) => withTenant(caller.tenantId, work), sessionId);
  return { session_id: sessionId, ended: true, ended_at: endedAt.toISOString() };
}
