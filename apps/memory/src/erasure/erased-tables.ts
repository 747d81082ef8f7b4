import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';

/** `waiting` is for merges that run beside us. */
export type EraseProgress = 'erasing' | 'waiting' | 'finished';

/**
 * Tables whose rows are a memory's, in the order of their erasure. A spec finds those that are missing here. The
 * index erases its own tables.
 */
export const TABLES_OF_MEMORIES = [
  'graph_readings',
  'graph_facts',
  'graph_links',
  'graph_mentions',
  'graph_chunks',
  'graph_contradictions',
  'graph_reviews',
  'graph_decisions',
  'graph_names',
  'graph_changes',
  'graph_memories',
  'health_history',
  'ingest_queue',
  'failed_content',
  'document_originals',
  'document_job_problems',
  'document_jobs',
  'embedding_queue',
  'chunk_embeddings',
  'search_changes',
  'chunks',
  'documents',
  'turns',
  'threads',
  'search_log',
  'search_log_settings',
  'suspended_memories',
  'memory_changes',
] as const;

/** Those of them whose rows lie in a vault and that need nothing but to be deleted. */
const TABLES_OF_VAULTS = ['turns', 'document_jobs', 'search_log'] as const;

/** Rows per statement: small enough that a call keeps its time. */
const ROWS_PER_STATEMENT = 1_000;

/** Deletes some rows of a memory; false when none is left. */
export async function eraseRowsOfMemory(tx: Tx, scope: MemoryScope): Promise<boolean> {
  const values = [scope.tenantId, scope.memoryId];
  for (const table of TABLES_OF_MEMORIES)
    if (await eraseSome(tx, table, 'tenant_id = $1 AND memory_id = $2', values)) return true;
  return false;
}

/** Deletes some rows of a vault, of tables that the index knows nothing of; false when none is left. */
export async function eraseRowsOfVault(tx: Tx, scope: MemoryScope & { vaultId: string }): Promise<boolean> {
  const values = [scope.tenantId, scope.memoryId, scope.vaultId];
  for (const table of TABLES_OF_VAULTS)
    if (await eraseSome(tx, table, 'tenant_id = $1 AND memory_id = $2 AND vault_id = $3', values)) return true;
  return false;
}

async function eraseSome(tx: Tx, table: string, condition: string, values: unknown[]): Promise<boolean> {
  const erased = await tx.execute(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${ROWS_PER_STATEMENT}))`,
    values,
  );
  if (erased > 0) return true;
  // Rows that were rewritten in the meantime, such as a claim, are elsewhere by now.
  return (await tx.query(`SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`, values)).length > 0;
}
