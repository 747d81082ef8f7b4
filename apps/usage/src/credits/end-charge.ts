import { notFound } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import { endReservation } from './account-store.ts';
import { type ChargeRow, dueCharges, endChargeRow, type EndedState, findCharge } from './charge-store.ts';

/**
 * Settles or releases the charge of a run. The first of the two counts: later calls, of either kind, change nothing
 * and are told the state it has. Throws `not_found` for a run that was never charged.
 */
export async function endCharge(
  parts: { workerDatabase: Database },
  run: { tenantId: string; runId: string },
  state: EndedState,
): Promise<ChargeRow> {
  return parts.workerDatabase.transaction(async (tx) => {
    const ended = await endOnce(tx, run.tenantId, run.runId, state);
    const charge = ended ?? (await findCharge(tx, run.tenantId, run.runId));
    if (charge === null) throw notFound('The charge of the run');
    return charge;
  });
}

async function endOnce(tx: Tx, tenantId: string, runId: string, state: EndedState): Promise<ChargeRow | null> {
  const ended = await endChargeRow(tx, tenantId, runId, state);
  if (ended !== null) await endReservation(tx, ended, state);
  return ended;
}

const RELEASE_BATCH = 100;

/** Gives back what was reserved for runs that nobody ended in time; gives how many. */
export async function releaseExpired(parts: { workerDatabase: Database; now: () => Date }): Promise<number> {
  const due = await parts.workerDatabase.transaction((tx) => dueCharges(tx, parts.now(), RELEASE_BATCH));
  let released = 0;
  for (const { tenant_id, run_id } of due) {
    const ended = await parts.workerDatabase.transaction((tx) => endOnce(tx, tenant_id, run_id, 'released'));
    if (ended !== null) released += 1;
  }
  return released;
}
