import type { Tx } from '@cairn/postgres';

/** A key and all its descendants. */
export interface Lineage {
  /** The key itself, those minted below it, the replacements of any of them, and those that any of them rotated. */
  keyIds: string[];
  /** The OAuth clients that these keys created. */
  clientIds: string[];
}

/**
 * Transactions that create credentials share this lock on the lineages of their tenant; one that closes a lineage takes
 * it exclusively, so that a lineage is complete when it is closed. Acquired before any key is locked.
 */
export async function lockLineages(tx: Tx, ownerTenantId: string, mode: 'shared' | 'exclusive'): Promise<void> {
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await tx.query(`SELECT ${lock}(hashtextextended($1, 0))`, [`lineages\u0001${ownerTenantId}`]);
}

/** The key with all its descendants. Needs the worker role. */
export async function findLineage(tx: Tx, keyId: string): Promise<Lineage> {
  const keys = await tx.query<{ key_id: string }>(
    `WITH RECURSIVE lineage AS (
       SELECT key_id FROM api_keys WHERE key_id = $1
       UNION
       SELECT descendant.key_id FROM lineage, LATERAL (
         SELECT key_id FROM api_keys WHERE parent_key_id = lineage.key_id
         UNION ALL SELECT key_id FROM api_keys WHERE rotated_from = lineage.key_id
         UNION ALL SELECT key_id FROM api_keys WHERE rotated_by = lineage.key_id
       ) descendant
     ) SELECT key_id FROM lineage ORDER BY key_id`,
    [keyId],
  );
  const keyIds = keys.map((row) => row.key_id);
  return { keyIds, clientIds: await clientsOf(tx, keyIds) };
}

export async function clientsOf(tx: Tx, keyIds: readonly string[]): Promise<string[]> {
  const clients = await tx.query<{ client_id: string }>(
    'SELECT client_id FROM oauth_clients WHERE parent_key_id = ANY($1) ORDER BY client_id',
    [keyIds],
  );
  return clients.map((row) => row.client_id);
}
