import type { Database, Tx } from '@cairn/postgres';
import { findKey, type KeyRow, lockKeys } from '../key-store.ts';
import { clientsOf, findLineage, holdLineages, type Lineage } from '../lineage.ts';
import { BEGUN_LONG_AGO } from './finish-denials.ts';
import type { Narrow } from './narrow.ts';
import { narrowAffected } from './narrow-affected.ts';
import { markRevoked } from './revoke.ts';
import { markOAuthRevoked } from './revoke-oauth.ts';

interface LineageParts {
  narrow: Narrow;
  workerDatabase: Database;
  now: () => Date;
}

const FINISHED_AT_ONCE_MAX = 1_000;

/**
 * Revokes a key with everything that came of it; the caller has judged that the key is its tenant's. Descendants may act
 * in the test environment of the tenant, so this works with the worker role. First the lineage is closed, so that nothing
 * is added to it any more; then it is denied as a whole, which is one revocation with its barriers. What is cut off in
 * between is taken up by {@link finishLineages}.
 */
export async function revokeLineage(parts: LineageParts, key: KeyRow): Promise<{ revokedAt: Date; lineage: Lineage }> {
  const { workerDatabase } = parts;
  await workerDatabase.transaction((tx) => closeLineage(tx, key));
  let lineage: Lineage = { keyIds: [], clientIds: [] };
  const revokedAt = await narrowAffected(parts.narrow, (work) => workerDatabase.transaction(work), {
    effect: 'deny',
    async affected(tx) {
      lineage = await findLineage(tx, key.key_id);
      return [...lineage.keyIds, ...lineage.clientIds];
    },
    async commit(tx) {
      await markRevoked(tx, lineage.keyIds, parts.now(), null);
      await markOAuthRevoked(tx, lineage.clientIds, parts.now());
      return (await findKey(tx, key.key_id))?.revoked_at ?? parts.now();
    },
  });
  return { revokedAt, lineage };
}

/**
 * Bars the key and everything below it from creating credentials, for good. It is good for all the rest until gateways
 * were told.
 */
async function closeLineage(tx: Tx, key: KeyRow): Promise<void> {
  await holdLineages(tx, key.owner_tenant_id, 'closing');
  const { keyIds } = await findLineage(tx, key.key_id);
  await lockKeys(tx, keyIds);
  await tx.execute(
    `UPDATE api_keys SET closing_since = clock_timestamp()
      WHERE key_id = ANY($1) AND closing_since IS NULL AND revoked_at IS NULL`,
    [keyIds],
  );
}

/**
 * Finishes the revocation of lineages that were closed and not revoked, because the replica that began it ended.
 * Several replicas may do the same. Returns how many keys were revoked.
 */
export async function finishLineages(parts: LineageParts): Promise<number> {
  const { workerDatabase, narrow, now } = parts;
  const { keyIds, clientIds } = await workerDatabase.transaction(async (tx) => {
    const rows = await tx.query<{ key_id: string }>(
      `SELECT key_id FROM api_keys
        WHERE closing_since < now() - interval '${BEGUN_LONG_AGO}' AND revoked_at IS NULL
        ORDER BY closing_since LIMIT ${FINISHED_AT_ONCE_MAX}`,
    );
    const ids = rows.map((row) => row.key_id);
    return { keyIds: ids, clientIds: await clientsOf(tx, ids) };
  });
  if (keyIds.length === 0) return 0;
  const narrowed = { what: 'credentials', ids: [...keyIds, ...clientIds] } as const;
  await narrow({ narrowed, effect: 'deny', closes: true }, () =>
    workerDatabase.transaction(async (tx) => {
      await markRevoked(tx, keyIds, now(), null);
      await markOAuthRevoked(tx, clientIds, now());
    }),
  );
  return keyIds.length;
}
