import { validationFailed } from '@cairn/errors';
import { ENDED, type RunRow } from '../ledger/run.ts';
import { type Database, eraseFromOutbox, eraseStoredEvents, eraseStoredResponses, type Tx } from '@cairn/postgres';
import { cancelRun } from '../runs/cancel-run.ts';
import { closeScope, type Scope } from '../scopes/closed-scopes.ts';

const BUDGET_MS = 2_000;
const RUNS_PER_STEP = 20;

/** Runs of the scope. Those of a vault are the ones that have read a document of it, or offered its title. */
const RUNS_OF_SCOPE = `SELECT research_runs.run_id FROM research_runs
  WHERE tenant_id = $1 AND ($2 = '' OR memory_id = $2)
    AND ($3 = '' OR $3 = ANY(offered_vaults)
         OR EXISTS (SELECT FROM sources
                     WHERE sources.tenant_id = $1 AND vault_id = $3 AND sources.run_id = research_runs.run_id))`;

/**
 * Closes the scope, ends its runs and erases for about two seconds; returns true when nothing of it is left. A run
 * whose charge usage has not acknowledged yet is kept until then, so that deleting it does not make it free.
 * Idempotent.
 */
export async function eraseScope(workerDatabase: Database, scope: Scope): Promise<boolean> {
  if (scope.tenantId === '') throw validationFailed([{ path: 'tenant_id', message: 'is required' }]);
  if (scope.vaultId !== '' && scope.memoryId === '')
    throw validationFailed([{ path: 'memory_id', message: 'is required with vault_id' }]);
  await workerDatabase.transaction((tx) => closeScope(tx, scope));
  const until = performance.now() + BUDGET_MS;
  for (;;) {
    const [ended, erased] = [
      await workerDatabase.transaction((tx) => endSome(tx, scope)),
      await workerDatabase.transaction((tx) => eraseSome(tx, scope)),
    ];
    if (ended + erased === 0) break;
    if (performance.now() > until) return false;
  }
  const { tenantId, memoryId, vaultId } = scope;
  const left = await workerDatabase.transaction((tx) =>
    tx.query(`${RUNS_OF_SCOPE} LIMIT 1`, [tenantId, memoryId, vaultId]),
  );
  if (left.length > 0) return false;
  await workerDatabase.transaction(async (tx) => {
    if (memoryId === '') await eraseTenantRows(tx, tenantId);
    else if (vaultId === '') {
      await eraseStoredResponses(tx, { tenantId, memoryId });
      await eraseFromOutbox(tx, { tenantId, memoryId });
    }
  });
  return true;
}

async function endSome(tx: Tx, { tenantId, memoryId, vaultId }: Scope): Promise<number> {
  const runs = await tx.query<RunRow>(
    `SELECT * FROM runs WHERE run_id IN (${RUNS_OF_SCOPE}) AND NOT status = ANY($4) LIMIT $5 FOR UPDATE SKIP LOCKED`,
    [tenantId, memoryId, vaultId, ENDED, RUNS_PER_STEP],
  );
  for (const run of runs) await cancelRun(tx, run);
  return runs.length;
}

/**
 * All data of a run is deleted by cascade from its row. Charges of a deleted tenant need no acknowledgement: usage
 * deletes them too.
 */
async function eraseSome(tx: Tx, { tenantId, memoryId, vaultId }: Scope): Promise<number> {
  const whole = memoryId === '';
  return tx.execute(
    `DELETE FROM runs WHERE run_id IN (
       SELECT run_id FROM research_runs JOIN runs USING (run_id)
        WHERE run_id IN (${RUNS_OF_SCOPE}) AND runs.status = ANY($4)
          AND ($5 OR charge_state NOT IN ('settling', 'releasing')) LIMIT $6)`,
    [tenantId, memoryId, vaultId, ENDED, whole, RUNS_PER_STEP],
  );
}

async function eraseTenantRows(tx: Tx, tenantId: string): Promise<void> {
  await eraseStoredEvents(tx, tenantId);
  for (const table of ['charge_intents', 'used_tickets', 'idempotency_keys'] as const)
    await tx.execute(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenantId]);
}
