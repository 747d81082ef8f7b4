import { notFound } from '@cairn/errors';
import { findSession, markSessionsEnded } from '../credentials/session-store.ts';
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
      await journalRevocation(tx, session.tenant_id, [sessionId]);
      return session.revoked_at!;
    }),
  );
}
