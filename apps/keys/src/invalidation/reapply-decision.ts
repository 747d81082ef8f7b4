import type { JournalEntry } from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';
import { markEnded } from './mark-ended.ts';

/**
 * Makes a decision of the journal true in a database that may have been restored to a state from before it; changes
 * nothing where it already is. Informs no gateway: either nothing is resolved from this database meanwhile, or the caller does.
 */
export async function reapplyDecision(
  { workerDatabase, now }: { workerDatabase: Database; now: () => Date },
  { decision, tenantId }: JournalEntry,
): Promise<void> {
  if (decision.case === 'credentialsRevoked')
    await workerDatabase.transaction((tx) => markEnded(tx, decision.value.credentialIds, now()));
  if (decision.case === 'tenantStatusChanged')
    await workerDatabase.transaction((tx) => reapplyStatus(tx, tenantId, decision.value));
}

async function reapplyStatus(tx: Tx, tenantId: string, change: { status: string; revision: bigint }): Promise<void> {
  // The revision stays: the event of the same decision brings limits and plan, and is dropped when it is not newer.
  await tx.execute('UPDATE tenants SET status = $2 WHERE tenant_id = $1 AND revision < $3', [
    tenantId,
    change.status,
    change.revision,
  ]);
}
