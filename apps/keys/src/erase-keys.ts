import type { Database, Tx } from '@cairn/postgres';

export interface Erased {
  tenantId: string;
  /** Empty: every key of the tenant, and what is known of the tenant itself. */
  memoryId: string;
  /** Empty: every key of the memory. */
  spaceId: string;
}

/**
 * Takes away the keys bound to what is deleted, with the answers that showed them. A key that is gone is refused as
 * unknown. May be repeated. Needs the worker role. Gives how many there were.
 */
export async function eraseKeys(parts: { workerDatabase: Database }, erased: Erased): Promise<number> {
  const { tenantId, memoryId, spaceId } = erased;
  return parts.workerDatabase.transaction(async (tx) => {
    const keys = await tx.query<{ key_id: string; owner_tenant_id: string }>(
      `DELETE FROM api_keys
        WHERE tenant_id = $1 AND ($2 = '' OR memory_id = $2) AND ($3 = '' OR space_id = $3)
        RETURNING key_id, owner_tenant_id`,
      [tenantId, memoryId, spaceId],
    );
    for (const key of keys) await forgetAnswers(tx, [tenantId, key.owner_tenant_id], key.key_id);
    if (memoryId === '') await eraseTenant(tx, tenantId);
    return keys.length;
  });
}

async function forgetAnswers(tx: Tx, tenantIds: readonly string[], keyId: string): Promise<void> {
  await tx.execute('DELETE FROM idempotency_keys WHERE tenant_id = ANY($1) AND position($2 in answer::text) > 0', [
    tenantIds,
    keyId,
  ]);
}

/** Also keys that the tenant administers but that act in its twin: without it nobody could revoke them. */
async function eraseTenant(tx: Tx, tenantId: string): Promise<void> {
  await tx.execute('DELETE FROM api_keys WHERE owner_tenant_id = $1', [tenantId]);
  await tx.execute('DELETE FROM idempotency_keys WHERE tenant_id = $1', [tenantId]);
  await tx.execute('DELETE FROM outbox WHERE tenant_id = $1', [tenantId]);
  await tx.execute('DELETE FROM tenants WHERE tenant_id = $1', [tenantId]);
}
