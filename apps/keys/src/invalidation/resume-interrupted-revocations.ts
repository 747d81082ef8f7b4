import type { Database } from '@cairn/postgres';
import type { Invalidate } from './invalidate.ts';
import { markEnded } from './mark-ended.ts';

/** Longer than an invalidation takes, which may have to wait for two leases to expire. */
export const INTERRUPTED_AFTER = '70 seconds';
const BATCH = 100;

/**
 * Finishes revocations that a replica began and did not complete: the caller of DELETE may not have received a
 * response, but gateways refuse the credential already, so it must stay refused. Each passes the same barriers as a new
 * one. Needs the worker role; several replicas may do the same.
 */
export async function resumeInterruptedRevocations(deps: {
  invalidate: Invalidate;
  workerDatabase: Database;
  now: () => Date;
}): Promise<number> {
  const { workerDatabase, invalidate, now } = deps;
  const open = await workerDatabase.transaction((tx) =>
    tx.query<{ denial_id: string; credential_ids: string[] }>(
      `SELECT denial_id, credential_ids FROM open_denials WHERE begun_at < now() - interval '${INTERRUPTED_AFTER}'
        ORDER BY begun_at LIMIT ${BATCH}`,
    ),
  );
  for (const { denial_id: denialId, credential_ids: ids } of open) {
    await invalidate({ invalidated: { what: 'credentials', ids }, effect: 'deny', closes: true }, () =>
      workerDatabase.transaction((tx) => markEnded(tx, ids, now())),
    );
    await workerDatabase.transaction((tx) => tx.execute('DELETE FROM open_denials WHERE denial_id = $1', [denialId]));
  }
  return open.length;
}
