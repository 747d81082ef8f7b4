import type { DrawAllowancesRequest, SettleHoldsRequest } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { drawQuotas, type QuotaState, type QuotaWish, settleHolds } from './quota-store.ts';
import { drawRates } from './rate-store.ts';

const GATEWAY_ID_MAX_CHARS = 128;
const ENTRIES_MAX = 10_000;
const WANT_MAX = 1_000_000;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/**
 * Gives a gateway requests to admit ahead. Over all gateways no more is given than the rates and quotas allow; a
 * gateway that asks twice for the same draw holds the same quota, and has drawn twice from its rates.
 */
export async function drawAllowances(
  parts: { workerDatabase: Database },
  { gatewayId, sequence, rates, quotas }: DrawAllowancesRequest,
) {
  assertBoot(gatewayId, rates.length + quotas.length);
  for (const { keyId, requestsPerSecond, burst, want } of rates) {
    if (keyId === '' || !(requestsPerSecond > 0) || !Number.isFinite(burst) || burst < 1 || want > WANT_MAX)
      throw validationFailed([{ path: 'rates', message: 'each has a key, a rate, a burst and a bounded wish' }]);
  }
  assertWishes(quotas);
  const drawn = rates.length === 0 ? [] : await parts.workerDatabase.transaction((tx) => drawRates(tx, rates));
  const held =
    quotas.length === 0
      ? []
      : await parts.workerDatabase.transaction((tx) => drawQuotas(tx, gatewayId, sequence, quotas));
  return {
    rates: drawn.map(({ key_id, granted, remaining, wait_ms }) => ({
      keyId: key_id,
      granted,
      left: remaining,
      waitMs: wait_ms,
    })),
    quotas: held.map(quotaGrant),
  };
}

function quotaGrant({ tenant_id, month, held, allowed, remaining }: QuotaState) {
  return {
    tenantId: tenant_id,
    month,
    held: BigInt(held ?? 0),
    limit: BigInt(allowed ?? 0),
    left: BigInt(remaining ?? 0),
    unlimited: allowed === null,
  };
}

/** Takes the notes of a boot of a gateway that is no more. */
export async function settleAllowances(
  parts: { workerDatabase: Database },
  { gatewayId, quotas }: SettleHoldsRequest,
): Promise<{ settled: boolean }> {
  assertBoot(gatewayId, quotas.length);
  assertWishes(quotas);
  return { settled: await parts.workerDatabase.transaction((tx) => settleHolds(tx, gatewayId, quotas)) };
}

function assertBoot(gatewayId: string, entries: number): void {
  if (gatewayId === '' || gatewayId.length > GATEWAY_ID_MAX_CHARS)
    throw validationFailed([{ path: 'gateway_id', message: `must have 1 to ${GATEWAY_ID_MAX_CHARS} characters` }]);
  if (entries > ENTRIES_MAX) throw validationFailed([{ path: 'rates', message: `at most ${ENTRIES_MAX} at once` }]);
}

function assertWishes(wishes: readonly QuotaWish[]): void {
  for (const { tenantId, month } of wishes) {
    if (tenantId === '' || !MONTH.test(month))
      throw validationFailed([{ path: 'quotas', message: 'each has a tenant and a month' }]);
  }
}
