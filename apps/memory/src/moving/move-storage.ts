import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';

/** Counts all that the memory keeps for its tenant on this engine, once more or (with -1) no longer. */
export async function countStorage(tx: Tx, scope: MemoryScope, sign: 1 | -1): Promise<void> {
  await tx.execute(
    `INSERT INTO storage_changes (tenant_id, documents, bytes)
     SELECT $1, $3 * count(*), $3 * sum(content_bytes + coalesce(original_bytes, 0)) FROM documents
      WHERE tenant_id = $1 AND memory_id = $2 HAVING count(*) > 0`,
    [scope.tenantId, scope.memoryId, sign],
  );
}
