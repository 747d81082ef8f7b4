import { createTombstones, type TombstoneScope, type Tx } from '@cairn/postgres';

export type Scope = TombstoneScope;

/** Tombstones of erased tenants, memories and vaults: no run starts or reads about them any more. */
const tombstones = createTombstones({ lockName: 'research scope' });

/**
 * Whether something about the scope may still be written. Keeps it from being closed until the transaction ends, and
 * waits for one that is being closed.
 */
export async function holdScopeOpen(tx: Tx, scope: Scope): Promise<boolean> {
  const { tenantId, memoryId, vaultId } = scope;
  const subject = { tenantId, memoryId, vaultIds: [vaultId] };
  const isClosed = await tombstones.holdOpen(tx, [subject]);
  return !isClosed(subject);
}

/** Waits for the writers of the scope and closes it to all that come after. */
export async function closeScope(tx: Tx, scope: Scope): Promise<void> {
  await tombstones.close(tx, scope);
}
