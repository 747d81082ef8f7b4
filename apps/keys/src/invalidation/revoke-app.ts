import { notFound } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { findApp } from '../credentials/app-store.ts';
import type { Invalidate } from './invalidate.ts';
import type { Transact } from './invalidate-affected.ts';
import { journalRevocation } from './journal-revocation.ts';

/** Ends a connected app with all its tokens on every gateway; returns when it ended: now, or earlier. Throws `not_found`. */
export async function revokeApp(
  deps: { invalidate: Invalidate; now: () => Date },
  transact: Transact,
  appId: string,
): Promise<Date> {
  const denial = { invalidated: { what: 'credentials', ids: [appId] }, effect: 'deny', closes: true } as const;
  return deps.invalidate(denial, () =>
    transact(async (tx) => {
      await markAppsRevoked(tx, [appId], deps.now());
      const app = await findApp(tx, appId);
      if (app === null) throw notFound('The connected app');
      return app.revoked_at!;
    }),
  );
}

/** Marks apps as ended that are not yet, and journals those; what is no app's id changes nothing. */
export async function markAppsRevoked(tx: Tx, appIds: readonly string[], at: Date): Promise<void> {
  const ended = await tx.query<{ app_id: string; tenant_id: string }>(
    `UPDATE connected_apps SET revoked_at = $2 WHERE app_id = ANY($1) AND revoked_at IS NULL
     RETURNING app_id, tenant_id`,
    [appIds, at],
  );
  for (const app of ended) await journalRevocation(tx, app.tenant_id, [app.app_id]);
}
