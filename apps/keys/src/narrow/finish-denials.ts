import type { Database } from '@cairn/postgres';
import type { Narrow } from './narrow.ts';
import { markRevoked } from './revoke.ts';
import { markOAuthRevoked } from './revoke-oauth.ts';

/** Longer than a denial takes: two leases that have to be outlived. */
export const BEGUN_LONG_AGO = '70 seconds';
const BATCH = 100;

/**
 * Finishes what a replica began and did not end: the caller of DELETE may not have been answered, but gateways refuse
 * the credential already, and it stays so. Each passes the same barriers as if it were asked for now. Needs the
 * worker role; several replicas may do the same.
 */
export async function finishDenials(parts: {
  narrow: Narrow;
  workerDatabase: Database;
  now: () => Date;
}): Promise<number> {
  const { workerDatabase, narrow, now } = parts;
  const open = await workerDatabase.transaction((tx) =>
    tx.query<{ denial_id: string; credential_ids: string[] }>(
      `SELECT denial_id, credential_ids FROM open_denials WHERE begun_at < now() - interval '${BEGUN_LONG_AGO}'
        ORDER BY begun_at LIMIT ${BATCH}`,
    ),
  );
  for (const { denial_id: denialId, credential_ids: ids } of open) {
    await narrow({ narrowed: { what: 'credentials', ids }, effect: 'deny', closes: true }, () =>
      workerDatabase.transaction(async (tx) => {
        await markRevoked(tx, ids, now(), null);
        await markOAuthRevoked(tx, ids, now());
      }),
    );
    await workerDatabase.transaction((tx) => tx.execute('DELETE FROM open_denials WHERE denial_id = $1', [denialId]));
  }
  return open.length;
}
