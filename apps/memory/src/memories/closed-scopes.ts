import { notFound } from '@cairn/errors';
import type { Database, SnapshotReads, TransactionOptions, Tx } from '@cairn/postgres';
import type { MemoryScope, ErasableScope } from './memory-scope.ts';
import { MOVING, MemoryMovingError } from './moving-memories.ts';

// Not the tombstones of the PostgreSQL library: these rows also record how far an erasure is and are read in snapshots
// without a lock, what is suspended is read with them, and a write takes one lock, as no tenant is closed as a whole.

/** Vaults of a memory that are being erased: nothing of them is shown or changed any more. */
export type ClosedVaults = ReadonlySet<string>;

/** A memory, and the one vault of it that the work is about, if it is about one. */
export interface UsedScope extends MemoryScope {
  usedVaultId?: string | undefined;
}

/** Stands among the closed vaults while calls about the memory are refused. */
export const SUSPENDED = '~suspended';

/**
 * Runs `work` in a snapshot of an open memory; null, without running it, once the memory is closed. What is closed
 * is read in the same snapshot.
 */
export async function whileReadable<T>(
  database: Database | SnapshotReads,
  scope: UsedScope,
  work: (tx: Tx, closed: ClosedVaults) => Promise<T>,
): Promise<T | null> {
  return inTransaction(database, scope, seenReadable, work, { mode: 'snapshot' });
}

/**
 * Runs `work` in a transaction of an open memory, which cannot be closed before it ends; null, without running it,
 * once the memory is closed.
 */
export async function whileOpen<T>(
  database: Database,
  scope: UsedScope,
  work: (tx: Tx, closed: ClosedVaults) => Promise<T>,
): Promise<T | null> {
  return inTransaction(database, scope, holdOpen, work);
}

async function inTransaction<T>(
  database: Pick<Database, 'withTenant'>,
  scope: UsedScope,
  closedOf: (tx: Tx, scope: UsedScope) => Promise<Set<string>>,
  work: (tx: Tx, closed: ClosedVaults) => Promise<T>,
  options?: TransactionOptions,
): Promise<T | null> {
  return database.withTenant(
    scope.tenantId,
    async (tx) => {
      const closed = await closedOf(tx, scope);
      return closed.has(WHOLE_MEMORY) ? null : work(tx, closed);
    },
    options,
  );
}

/**
 * For a transaction that puts something into a memory, or into one vault of it: holds it open until the end, and
 * throws `not_found` once it was closed, even long ago. Call it before any row is locked: a close waits for us.
 */
export async function assertOpen(tx: Tx, scope: MemoryScope, vaultId?: string): Promise<void> {
  await lockScope(tx, scope, 'shared');
  const rows = await tx.query<{ vault_id: string }>({
    name: 'closed_scope_exact',
    text: `SELECT vault_id FROM closed_scopes WHERE tenant_id = $1 AND memory_id = $2 AND vault_id IN ('', $3)`,
    values: [scope.tenantId, scope.memoryId, vaultId ?? WHOLE_MEMORY],
  });
  if (rows.some((row) => row.vault_id === WHOLE_MEMORY)) throw notFound('The memory');
  if (rows.length > 0) throw notFound('The space');
}

/** Waits for the writers of the memory and closes the scope to those that come after. Repeats change nothing. */
export async function closeScope(database: Database, scope: ErasableScope): Promise<void> {
  await database.withTenant(scope.tenantId, async (tx) => {
    await lockScope(tx, scope, 'exclusive');
    await assertServedByEngine(tx, scope);
    await tx.execute(
      `INSERT INTO closed_scopes (tenant_id, memory_id, vault_id) VALUES ($1, $2, $3)
       ON CONFLICT (tenant_id, memory_id, vault_id) DO NOTHING`,
      keyOf(scope),
    );
  });
}

interface ClosedScope {
  expungeAt: Date | null;
  erased: boolean;
}

/** How far a closed scope's erasure is, held until the transaction ends; null when it was not closed. */
export async function lockClosed(tx: Tx, scope: ErasableScope): Promise<ClosedScope | null> {
  const rows = await tx.query<{ expunge_at: Date | null; erased: boolean }>(
    `SELECT expunge_at, erased_at IS NOT NULL AS erased FROM closed_scopes
      WHERE tenant_id = $1 AND memory_id = $2 AND vault_id = $3 FOR UPDATE`,
    keyOf(scope),
  );
  return rows[0] === undefined ? null : { expungeAt: rows[0].expunge_at, erased: rows[0].erased };
}

/** Keeps the time up to which deletions must have left the index. */
export async function storeExpungeMark(tx: Tx, scope: ErasableScope, mark: Date): Promise<void> {
  await tx.execute(
    'UPDATE closed_scopes SET expunge_at = $4 WHERE tenant_id = $1 AND memory_id = $2 AND vault_id = $3',
    [...keyOf(scope), mark],
  );
}

/** Says that nothing of the scope is left. */
export async function markErased(tx: Tx, scope: ErasableScope): Promise<void> {
  await tx.execute(
    'UPDATE closed_scopes SET erased_at = now() WHERE tenant_id = $1 AND memory_id = $2 AND vault_id = $3',
    keyOf(scope),
  );
}

const WHOLE_MEMORY = '';

function keyOf(scope: ErasableScope): string[] {
  return [scope.tenantId, scope.memoryId, scope.vaultId ?? WHOLE_MEMORY];
}

/** What is closed of a memory that may be read here. */
async function seenReadable(tx: Tx, scope: UsedScope): Promise<Set<string>> {
  const closed = await seenClosed(tx, scope);
  if (closed.has(MOVING.everything)) throw new MemoryMovingError();
  return closed;
}

async function holdOpen(tx: Tx, scope: UsedScope): Promise<Set<string>> {
  await lockScope(tx, scope, 'shared');
  const closed = await seenReadable(tx, scope);
  if (closed.has(MOVING.writes)) throw new MemoryMovingError();
  return closed;
}

/** For what is recorded about a memory beside its operations: throws where the engine does not serve it. */
export async function assertServedByEngine(tx: Tx, scope: MemoryScope): Promise<void> {
  await holdOpen(tx, scope);
}

async function seenClosed(tx: Tx, scope: UsedScope): Promise<Set<string>> {
  const rows = await tx.query<{ vault_id: string }>({
    name: 'closed_scopes_seen',
    text: `SELECT vault_id FROM closed_scopes
            WHERE tenant_id = $1 AND memory_id = $2 AND (vault_id = '' OR erased_at IS NULL)
           UNION ALL
           SELECT vault_id FROM closed_scopes WHERE tenant_id = $1 AND memory_id = $2 AND vault_id = $3
           UNION ALL
           SELECT '${SUSPENDED}' FROM suspended_memories WHERE tenant_id = $1 AND memory_id = $2
           UNION ALL
           SELECT CASE phase WHEN 'gated' THEN '${MOVING.writes}' ELSE '${MOVING.everything}' END FROM memory_moves
            WHERE tenant_id = $1 AND memory_id = $2
              AND (phase IN ('left', 'arriving') OR (phase = 'gated' AND gate_until > clock_timestamp()))`,
    values: [scope.tenantId, scope.memoryId, scope.usedVaultId ?? WHOLE_MEMORY],
  });
  return new Set(rows.map((row) => row.vault_id));
}

/**
 * Writers of a memory share this lock, a close takes it alone. A statement of its own, because the next one must
 * see what was committed while this one waited. Two memories with the same hash wait for each other, nothing worse.
 */
export async function lockScope(tx: Tx, scope: MemoryScope, mode: 'shared' | 'exclusive'): Promise<void> {
  await tx.query({
    name: `closed_scopes_lock_${mode}`,
    text: `SELECT ${mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'}(hashtextextended($1, 0))`,
    values: [`memory scope\u0001${scope.tenantId}\u0001${scope.memoryId}`],
  });
}
