import { notFound } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { findSession } from '../credentials/session-store.ts';
import type { Invalidate } from './invalidate.ts';
import type { Transact } from './invalidate-affected.ts';
import { journalRevocation } from './journal-revocation.ts';

/** Ends a session on every gateway; returns when it ended: now, or earlier. Throws `not_found`. */
export async function revokeSession(
  deps: { invalidate: Invalidate; now: () => Date },
  transact: Transact,
  sessionId: string,
): Promise<Date> {
  const denial = { invalidated: { what: 'credentials', ids: [sessionId] }, effect: 'deny', closes: true } as const;
  return deps.invalidate(denial, () =>
    transact(async (tx) => {
      await markSessionsEnded(tx, [sessionId], deps.now());
      const session = await findSession(tx, sessionId);
      if (session === null) throw notFound('The session');
      return session.revoked_at!;
    }),
  );
}

/** Marks sessions as ended that are not yet, and journals those; what is no session's id changes nothing. */
export async function markSessionsEnded(tx: Tx, sessionIds: readonly string[], at: Date): Promise<void> {
  const ended = await tx.query<{ session_id: string; tenant_id: string }>(
    `UPDATE console_sessions SET revoked_at = $2 WHERE session_id = ANY($1) AND revoked_at IS NULL
     RETURNING session_id, tenant_id`,
    [sessionIds, at],
  );
  for (const session of ended) await journalRevocation(tx, session.tenant_id, [session.session_id]);
}
