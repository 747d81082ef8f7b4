import type { Database, Tx } from '@cairn/postgres';

/** Documents and the bytes of their contents. */
export interface StorageAmount {
  documents: number;
  bytes: number;
}

/** What a tenant keeps on this engine, what this transaction adds included. */
export async function storageUsageOf(tx: Tx, tenantId: string): Promise<StorageAmount> {
  const rows = await tx.query<StorageAmount>({
    name: 'stored_amount',
    text: `SELECT coalesce(sum(documents), 0)::bigint AS documents, coalesce(sum(bytes), 0)::bigint AS bytes
             FROM storage_changes WHERE tenant_id = $1`,
    values: [tenantId],
  });
  return rows[0]!;
}

/** Tenants added up in one go, and changes that are not worth it yet. */
const TENANTS_AT_ONCE = 50;
const UNCOMPACTED_ROWS_MAX = 200;
/** What comes to nothing is forgotten after this, so that a tenant that left leaves no row. */
const FORGOTTEN_AFTER_S = 10;

/**
 * Adds the changes of busy tenants up into one row each, and forgets those of tenants that keep nothing. Runs as the
 * worker role.
 */
export async function compactStorageChanges(workerDatabase: Database): Promise<void> {
  await workerDatabase.transaction(async (tx) => {
    const busy = await tx.query<{ tenant_id: string }>(
      `SELECT tenant_id FROM storage_changes GROUP BY tenant_id
       HAVING count(*) > $1
           OR (sum(documents) = 0 AND sum(bytes) = 0 AND max(made_at) < now() - make_interval(secs => $3))
        LIMIT $2`,
      [UNCOMPACTED_ROWS_MAX, TENANTS_AT_ONCE, FORGOTTEN_AFTER_S],
    );
    if (busy.length === 0) return;
    await tx.execute(
      `WITH taken AS (DELETE FROM storage_changes WHERE tenant_id = ANY($1) RETURNING tenant_id, documents, bytes)
       INSERT INTO storage_changes (tenant_id, documents, bytes)
         SELECT tenant_id, sum(documents), sum(bytes) FROM taken GROUP BY tenant_id
         HAVING sum(documents) <> 0 OR sum(bytes) <> 0`,
      [busy.map((row) => row.tenant_id)],
    );
  });
}
