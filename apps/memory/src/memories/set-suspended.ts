import type { Database } from '@cairn/postgres';
import { assertServedByEngine } from './closed-scopes.ts';
import type { MemoryScope } from './memory-scope.ts';

/** Suspends or resumes a memory: while it is suspended every request about it is refused. Holds on all replicas once it has committed. */
export async function setSuspended(database: Database, scope: MemoryScope, suspended: boolean): Promise<void> {
  const values = [scope.tenantId, scope.memoryId];
  await database.withTenant(scope.tenantId, async (tx) => {
    await assertServedByEngine(tx, scope);
    await tx.execute(
      suspended
        ? 'INSERT INTO suspended_memories (tenant_id, memory_id) VALUES ($1, $2) ON CONFLICT DO NOTHING'
        : 'DELETE FROM suspended_memories WHERE tenant_id = $1 AND memory_id = $2',
      values,
    );
  });
}
