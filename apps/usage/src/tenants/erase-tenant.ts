import { validationFailed } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import { acquireExclusiveWriteLock } from '../stores/write-lock.ts';

const ERASE_BATCH = 20_000;
const TIME_SLICE_MS = 2_000;
/** Longer than the event stream retains an event about the tenant. */
const CLOSED_RETENTION_DAYS = 30;

const TABLES = [
  'audit_events',
  'llm_rollups',
  'llm_calls',
  'charges',
  'credit_grants',
  'credit_accounts',
  'tenants',
] as const;

/**
 * Closes the tenant and erases for about two seconds; true when nothing is left. Every table is checked each time, so
 * that an interrupted call is simply repeated.
 */
export async function eraseTenant(deps: { workerDatabase: Database }, tenantId: string): Promise<boolean> {
  if (tenantId === '') throw validationFailed([{ path: 'tenant_id', message: 'is required' }]);
  await close(deps.workerDatabase, tenantId);
  const deadline = performance.now() + TIME_SLICE_MS;
  for (const table of TABLES) {
    for (;;) {
      const erased = await deps.workerDatabase.transaction((tx) => eraseBatch(tx, table, tenantId));
      if (erased < ERASE_BATCH) break;
      if (performance.now() > deadline) return false;
    }
  }
  return true;
}

/** When this returns nothing is written about the tenant any more: earlier writers have committed, later ones see the tombstone. */
async function close(database: Database, tenantId: string): Promise<void> {
  const closed = await database.transaction((tx) =>
    tx.execute('INSERT INTO closed_tenants (tenant_id) VALUES ($1) ON CONFLICT DO NOTHING', [tenantId]),
  );
  if (closed > 0) await database.transaction(acquireExclusiveWriteLock);
}

/** Bounded by rows, found by the index that begins with the tenant in each table. */
async function eraseBatch(tx: Tx, table: (typeof TABLES)[number], tenantId: string): Promise<number> {
  return tx.execute(
    `DELETE FROM ${table} WHERE (tableoid, ctid) IN (SELECT tableoid, ctid FROM ${table} WHERE tenant_id = $1 LIMIT ${ERASE_BATCH})
        AND tenant_id = $1`,
    [tenantId],
  );
}

/** Deletes the tombstones of tenants about whom no event can arrive any more. */
export async function deleteExpiredTombstones(tx: Tx): Promise<void> {
  await tx.execute('DELETE FROM closed_tenants WHERE closed_at < now() - make_interval(days => $1)', [
    CLOSED_RETENTION_DAYS,
  ]);
}
