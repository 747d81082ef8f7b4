import { CairnError } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { repeat, type Running } from '@cairn/service-kit';
import type { Charges } from './charges.ts';

const POLL_INTERVAL_MS = 1_000;
const RETRY_AFTER_SECONDS = 5;
const BATCH_MAX = 20;

interface DueCharge {
  tenant_id: string;
  run_id: string;
  charge_state: 'settling' | 'releasing';
}

/**
 * Reports the charges of ended runs to usage and returns how many were due. The end of a run and the state of its
 * charge commit together; the report is repeated until usage has acknowledged it, and usage is idempotent per run.
 */
async function reportDueCharges(
  deps: { workerDatabase: Database; charges: Charges },
  onError: (error: unknown) => void,
): Promise<number> {
  const due = await deps.workerDatabase.transaction((tx) =>
    tx.query<DueCharge>(
      `UPDATE research_runs SET charge_due_at = now() + make_interval(secs => $1)
        WHERE run_id IN (SELECT run_id FROM research_runs
                          WHERE charge_state IN ('settling', 'releasing') AND charge_due_at <= now()
                          ORDER BY charge_due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
        RETURNING tenant_id, run_id, charge_state`,
      [RETRY_AFTER_SECONDS, BATCH_MAX],
    ),
  );
  // One failed report must not delay the others.
  for (const charge of due) await reportCharge(deps, charge).catch(onError);
  return due.length;
}

async function reportCharge(
  { workerDatabase, charges }: { workerDatabase: Database; charges: Charges },
  { tenant_id, run_id, charge_state }: DueCharge,
): Promise<void> {
  const report = charge_state === 'settling' ? charges.settle : charges.release;
  const state = await report(tenant_id, run_id).catch((error: unknown) => {
    // Usage has no such charge, so nothing was charged and there is nothing left to report.
    if (error instanceof CairnError && error.code === 'not_found') return 'released' as const;
    throw error;
  });
  await workerDatabase.withTenant(tenant_id, (tx) =>
    tx.execute('UPDATE research_runs SET charge_state = $2, charge_due_at = NULL WHERE run_id = $1', [run_id, state]),
  );
}

export function startChargeReporting(
  deps: { workerDatabase: Database; charges: Charges },
  onError: (error: unknown) => void,
): Running {
  return repeat(POLL_INTERVAL_MS, () => reportDueCharges(deps, onError), onError);
}
