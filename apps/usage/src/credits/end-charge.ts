import { notFound } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import { endReservation } from '../stores/account-store.ts';
import { type ChargeRow, expiredCharges, endChargeRow, type EndedState, findCharge } from '../stores/charge-store.ts';

/**
 * Settles or releases the charge of a run. The first of the two wins: later calls, of either kind, change nothing
 * and return its state. Throws `not_found` for a run that was never charged.
 */
export async function endCharge(
  deps: { workerDatabase: Database },
  run: { tenantId: string; runId: string },
  state: EndedState,
): Promise<ChargeRow> {
  return deps.workerDatabase.transaction(async (tx) => {
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

/** Releases reservations that nobody settled or released in time; returns how many. */
export async function releaseExpired(deps: { workerDatabase: Database; now: () => Date }): Promise<number> {
  const expired = await deps.workerDatabase.transaction((tx) => expiredCharges(tx, deps.now(), RELEASE_BATCH));
  let released = 0;
  for (const { tenant_id, run_id } of expired) {
    const ended = await deps.workerDatabase.transaction((tx) => endOnce(tx, tenant_id, run_id, 'released'));
    if (ended !== null) released += 1;
  }
  return released;
}
