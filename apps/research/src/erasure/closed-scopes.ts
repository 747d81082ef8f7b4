import type { Tx } from '@cairn/postgres';

/** A tenant; with a memory that memory of it; with a vault that vault of the memory. */
export interface Scope {
  tenantId: string;
  memoryId: string;
  vaultId: string;
}

/**
 * Whether something about the scope may still be written. Keeps it from being closed until the transaction ends, and
 * waits for one that is being closed.
 */
export async function holdScopeOpen(tx: Tx, scope: Scope): Promise<boolean> {
  const { tenantId, memoryId, vaultId } = scope;
  await tx.query(
    'SELECT pg_advisory_xact_lock_shared(hashtextextended(key, 0)) FROM unnest($1::text[]) AS key ORDER BY key',
    [[lockKey(tenantId, ''), lockKey(tenantId, memoryId)]],
  );
  const closed = await tx.query(
    `SELECT 1 FROM closed_scopes
      WHERE tenant_id = $1 AND (memory_id = '' OR (memory_id = $2 AND (vault_id = '' OR vault_id = $3))) LIMIT 1`,
    [tenantId, memoryId, vaultId],
  );
  return closed.length === 0;
}

/** Waits for those who write about the scope, and closes it to all that come after. */
export async function closeScope(tx: Tx, { tenantId, memoryId, vaultId }: Scope): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lockKey(tenantId, memoryId)]);
  await tx.execute(
    'INSERT INTO closed_scopes (tenant_id, memory_id, vault_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [tenantId, memoryId, vaultId],
  );
}

function lockKey(tenantId: string, memoryId: string): string {
  return ['research scope', tenantId, memoryId].join('\u0001');
}
