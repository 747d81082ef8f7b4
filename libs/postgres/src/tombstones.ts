import type { Tx } from './tx.ts';

/** What is erased: a tenant; with a memory that memory of it; with a vault that vault of the memory. */
export interface TombstoneScope {
  tenantId: string;
  /** Empty for the whole tenant. */
  memoryId: string;
  /** Empty for the whole memory. */
  vaultId: string;
}

/** What a writer writes about: a memory, or with an empty id the tenant, and the vaults of its documents. */
interface TombstoneSubject {
  tenantId: string;
  memoryId: string;
  vaultIds: readonly string[];
}

/**
 * Fences scopes off before their erasure: from then on nothing new is written about them. The tombstones are rows of
 * the service's table `closed_scopes` (tenant_id, memory_id, vault_id).
 */
interface Tombstones {
  /**
   * Keeps the subjects from being closed until the transaction ends, waiting for a close in progress, and returns a
   * function that returns whether a subject is closed already.
   */
  holdOpen(tx: Tx, subjects: readonly TombstoneSubject[]): Promise<(subject: TombstoneSubject) => boolean>;
  /** Waits for the writers of the scope and closes it to all that come after. Idempotent. */
  close(tx: Tx, scope: TombstoneScope): Promise<void>;
}

/**
 * Writers share an advisory lock on the tenant and one on the memory; a close takes its own exclusively. The lock is a
 * statement of its own, because the next one must see what was committed while this one waited.
 */
export function createTombstones(options: { lockName: string }): Tombstones {
  const lockKey = (tenantId: string, memoryId: string) => join(options.lockName, tenantId, memoryId);
  return {
    async holdOpen(tx, subjects) {
      const keys = subjects.flatMap(({ tenantId, memoryId }) => [lockKey(tenantId, ''), lockKey(tenantId, memoryId)]);
      await tx.query({
        name: 'tombstones_hold_open',
        text: `SELECT pg_advisory_xact_lock_shared(hashtextextended(key, 0)) FROM unnest($1::text[]) AS key ORDER BY key`,
        values: [[...new Set(keys)]],
      });
      const rows = await tx.query<{ tenant_id: string; memory_id: string; vault_id: string }>({
        name: 'tombstones_closed',
        text: `SELECT tenant_id, memory_id, vault_id FROM closed_scopes
                WHERE tenant_id = ANY($1) AND memory_id = ANY($2) AND vault_id = ANY($3)`,
        values: [
          [...new Set(subjects.map(({ tenantId }) => tenantId))],
          [...new Set(['', ...subjects.map(({ memoryId }) => memoryId)])],
          [...new Set(['', ...subjects.flatMap(({ vaultIds }) => vaultIds)])],
        ],
      });
      const closed = new Set(rows.map((row) => join(row.tenant_id, row.memory_id, row.vault_id)));
      return ({ tenantId, memoryId, vaultIds }) =>
        closed.has(join(tenantId, '', '')) ||
        closed.has(join(tenantId, memoryId, '')) ||
        vaultIds.some((vaultId) => closed.has(join(tenantId, memoryId, vaultId)));
    },
    async close(tx, { tenantId, memoryId, vaultId }) {
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lockKey(tenantId, memoryId)]);
      await tx.execute(
        'INSERT INTO closed_scopes (tenant_id, memory_id, vault_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [tenantId, memoryId, vaultId],
      );
    },
  };
}

function join(...names: string[]): string {
  return names.join('\u0001');
}
