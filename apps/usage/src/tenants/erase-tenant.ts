import { validationFailed } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import { holdWriting } from '../calls/call-store.ts';

const ERASE_BATCH = 20_000;
const WORK_MS = 2_000;
/** Longer than the event stream keeps an event that may still speak of the tenant. */
const CLOSED_KEEP_DAYS = 30;

const TABLES = ['llm_rollups', 'llm_calls', 'charges', 'credit_grants', 'credit_accounts', 'tenants'] as const;

/**
 * Closes the tenant and erases for about two seconds; true when nothing is left. Every table is asked each time, so
 * that a call that was cut off is simply repeated.
 */
export async function eraseTenant(parts: { workerDatabase: Database }, tenantId: string): Promise<boolean> {
  if (tenantId === '') throw validationFailed([{ path: 'tenant_id', message: 'is required' }]);
  await close(parts.workerDatabase, tenantId);
  const until = performance.now() + WORK_MS;
  for (const table of TABLES) {
    for (;;) {
      const erased = await parts.workerDatabase.transaction((tx) => eraseSome(tx, table, tenantId));
      if (erased < ERASE_BATCH) break;
      if (performance.now() > until) return false;
    }
  }
  return true;
}

/** When this returns nobody writes about the tenant any more: who began before has ended, who begins later sees it. */
async function close(database: Database, tenantId: string): Promise<void> {
  const closed = await database.transaction((tx) =>
    tx.execute('INSERT INTO closed_tenants (tenant_id) VALUES ($1) ON CONFLICT DO NOTHING', [tenantId]),
  );
  if (closed > 0) await database.transaction(holdWriting);
}

/** Bounded by rows, found by the index that begins with the tenant in each table. */
async function eraseSome(tx: Tx, table: (typeof TABLES)[number], tenantId: string): Promise<number> {
  return tx.execute(
    `DELETE FROM ${table} WHERE (tableoid, ctid) IN (SELECT tableoid, ctid FROM ${table} WHERE tenant_id = $1 LIMIT ${ERASE_BATCH})
        AND tenant_id = $1`,
    [tenantId],
  );
}

/** Forgets closed tenants of whom no event can speak any more. */
export async function forgetClosedTenants(tx: Tx): Promise<void> {
  await tx.execute('DELETE FROM closed_tenants WHERE closed_at < now() - make_interval(days => $1)', [
    CLOSED_KEEP_DAYS,
  ]);
}
