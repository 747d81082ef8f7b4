import { CairnError } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { Running } from '@cairn/service-kit';
import type { Charges } from './charges.ts';

const LOOK_EVERY_MS = 1_000;
const AGAIN_AFTER_SECONDS = 5;
const BATCH_MAX = 20;

interface DueCharge {
  tenant_id: string;
  run_id: string;
  charge_state: 'settling' | 'releasing';
}

/**
 * Tells usage of the runs that ended. A run's end and what becomes of its charge are one commit; telling is repeated
 * until usage has answered, which takes each run's word once.
 */
export async function settleDue(
  parts: { workerDatabase: Database; charges: Charges },
  onError: (error: unknown) => void,
): Promise<number> {
  const due = await parts.workerDatabase.transaction((tx) =>
    tx.query<DueCharge>(
      `UPDATE research_runs SET charge_due_at = now() + make_interval(secs => $1)
        WHERE run_id IN (SELECT run_id FROM research_runs
                          WHERE charge_state IN ('settling', 'releasing') AND charge_due_at <= now()
                          ORDER BY charge_due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
        RETURNING tenant_id, run_id, charge_state`,
      [AGAIN_AFTER_SECONDS, BATCH_MAX],
    ),
  );
  // Each by itself: one that cannot be told must not keep the others waiting.
  for (const charge of due) await settle(parts, charge).catch(onError);
  return due.length;
}

async function settle(
  { workerDatabase, charges }: { workerDatabase: Database; charges: Charges },
  { tenant_id, run_id, charge_state }: DueCharge,
): Promise<void> {
  const tell = charge_state === 'settling' ? charges.settle : charges.release;
  const state = await tell(tenant_id, run_id).catch((error: unknown) => {
    // Usage knows of no such charge: nothing is taken, and nothing is left to be told.
    if (error instanceof CairnError && error.code === 'not_found') return 'released' as const;
    throw error;
  });
  await workerDatabase.withTenant(tenant_id, (tx) =>
    tx.execute('UPDATE research_runs SET charge_state = $2, charge_due_at = NULL WHERE run_id = $1', [run_id, state]),
  );
}

export function startSettling(
  parts: { workerDatabase: Database; charges: Charges },
  onError: (error: unknown) => void,
): Running {
  let working: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    working ??= settleDue(parts, onError)
      .catch(onError)
      .finally(() => {
        working = null;
      });
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await working;
    },
  };
}
