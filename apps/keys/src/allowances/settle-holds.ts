import type { SettleHoldsRequest } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { assertWellFormedSettlement, isWellFormedQuota } from './draw-bounds.ts';
import { settleQuotas } from './quota-store.ts';

/** Settles the holds of a gateway process that has died by the journal that it left behind. */
export async function settleHolds(
  deps: { workerDatabase: Database },
  { gatewayId, quotas }: SettleHoldsRequest,
): Promise<{ settled: boolean }> {
  assertWellFormedSettlement(gatewayId, quotas.length);
  if (!quotas.every(isWellFormedQuota))
    throw validationFailed([{ path: 'quotas', message: 'each has a tenant and a month' }]);
  return { settled: await deps.workerDatabase.transaction((tx) => settleQuotas(tx, gatewayId, quotas)) };
}
