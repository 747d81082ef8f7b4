import { CairnError } from '@cairn/errors';
import { type Database, type Tx, withoutCommitRecord } from '@cairn/postgres';
import { repeat, type Running } from '@cairn/service-kit';
import type { Charges } from './charges.ts';

/** Longer than a start takes; a start that is slower is refused at its commit. */
const ABANDONED_AFTER_SECONDS = 60;
const POLL_INTERVAL_MS = 5_000;
const BATCH_MAX = 20;

interface ChargedStart {
  tenantId: string;
  runId: string;
}

/**
 * Records, before anything is reserved, that a start is about to reserve the charge of a run. Not a change for the audit
 * log: the start may still be refused, or be a replay.
 */
export async function openIntent(database: Database, { tenantId, runId }: ChargedStart): Promise<void> {
  await withoutCommitRecord(() =>
    database.withTenant(tenantId, (tx) =>
      tx.execute('INSERT INTO charge_intents (tenant_id, run_id) VALUES ($1, $2)', [tenantId, runId]),
    ),
  );
}

/** Within the transaction that makes the run: from its commit on the run answers for the charge. */
export async function closeIntent(tx: Tx, runId: string): Promise<void> {
  const closed = await tx.execute('DELETE FROM charge_intents WHERE run_id = $1', [runId]);
  if (closed === 0) throw new CairnError('unavailable', 'The start took too long.', { retryAfterSeconds: 1 });
}

/**
 * Releases what a start has reserved, unless its run was committed after all: an error at a commit does not say which.
 * Throws when usage cannot be reached; then the charge is released later.
 */
export async function abandonIntent(database: Database, charges: Charges, start: ChargedStart): Promise<void> {
  await withoutCommitRecord(() =>
    database.withTenant(start.tenantId, async (tx) => {
      const rows = await tx.query('SELECT run_id FROM charge_intents WHERE run_id = $1 FOR UPDATE', [start.runId]);
      if (rows.length === 0) return;
      await charges.release(start.tenantId, start.runId).catch((error: unknown) => {
        // Nothing had been reserved yet.
        if (!(error instanceof CairnError && error.code === 'not_found')) throw error;
      });
      await tx.execute('DELETE FROM charge_intents WHERE run_id = $1', [start.runId]);
    }),
  );
}

/** Abandons the charges of starts that neither committed nor failed in time, such as those of a killed process. */
export function startAbandoning(
  { workerDatabase, charges }: { workerDatabase: Database; charges: Charges },
  onError: (error: unknown) => void,
): Running {
  return repeat(
    POLL_INTERVAL_MS,
    async () => {
      const left = await workerDatabase.transaction((tx) =>
        tx.query<{ tenant_id: string; run_id: string }>(
          `SELECT tenant_id, run_id FROM charge_intents WHERE declared_at < now() - make_interval(secs => $1)
            ORDER BY declared_at LIMIT $2`,
          [ABANDONED_AFTER_SECONDS, BATCH_MAX],
        ),
      );
      // One that fails must not delay the others.
      for (const { tenant_id, run_id } of left)
        await abandonIntent(workerDatabase, charges, { tenantId: tenant_id, runId: run_id }).catch(onError);
    },
    onError,
  );
}
