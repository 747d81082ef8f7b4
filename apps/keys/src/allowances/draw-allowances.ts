import type { DrawAllowancesRequest, SettleHoldsRequest } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import { isolateFailures } from '../isolate-rows.ts';
import { drawQuotas, type QuotaState, type QuotaWish, settleHolds } from './quota-store.ts';
import { drawRates, type RateWish } from './rate-store.ts';

const GATEWAY_ID_MAX_CHARS = 128;
const ENTRIES_MAX = 10_000;
const WANT_MAX = 1_000_000;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

interface AllowanceDeps {
  workerDatabase: Database;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Gives a gateway requests to admit ahead. Over all gateways no more is given than the rates and quotas allow; a
 * gateway that asks twice for the same draw holds the same quota, and has drawn twice from its rates. An entry that
 * makes no sense, or that the database refuses, is left out of the response; it never fails the others.
 */
export async function drawAllowances(
  deps: AllowanceDeps,
  { gatewayId, sequence, rates, quotas }: DrawAllowancesRequest,
) {
  assertBoot(gatewayId, rates.length + quotas.length);
  const [drawn, held] = await Promise.all([
    inBatches(deps, rates.filter(isRateWish), drawRates),
    inBatches(deps, quotas.filter(isQuotaWish), (tx, rows) => drawQuotas(tx, gatewayId, sequence, rows)),
  ]);
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

async function inBatches<Row, Result>(
  { workerDatabase, logger }: AllowanceDeps,
  rows: readonly Row[],
  work: (tx: Tx, rows: readonly Row[]) => Promise<Result[]>,
): Promise<Result[]> {
  if (rows.length === 0) return [];
  return isolateFailures(
    (run) => workerDatabase.transaction((tx) => run(tx, rows, (batch) => work(tx, batch))),
    (error, failed) => logger.warn({ err: error, rows: failed }, 'part of a draw failed; the rest was drawn'),
  );
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
  deps: { workerDatabase: Database },
  { gatewayId, quotas }: SettleHoldsRequest,
): Promise<{ settled: boolean }> {
  assertBoot(gatewayId, quotas.length);
  if (!quotas.every(isQuotaWish))
    throw validationFailed([{ path: 'quotas', message: 'each has a tenant and a month' }]);
  return { settled: await deps.workerDatabase.transaction((tx) => settleHolds(tx, gatewayId, quotas)) };
}

function assertBoot(gatewayId: string, entries: number): void {
  if (gatewayId === '' || gatewayId.length > GATEWAY_ID_MAX_CHARS)
    throw validationFailed([{ path: 'gateway_id', message: `must have 1 to ${GATEWAY_ID_MAX_CHARS} characters` }]);
  if (entries > ENTRIES_MAX) throw validationFailed([{ path: 'rates', message: `at most ${ENTRIES_MAX} at once` }]);
}

function isRateWish({ keyId, requestsPerSecond, burst, want }: RateWish): boolean {
  return keyId !== '' && requestsPerSecond > 0 && burst >= 1 && Number.isFinite(burst) && want <= WANT_MAX;
}

function isQuotaWish({ tenantId, month }: QuotaWish): boolean {
  return tenantId !== '' && MONTH.test(month);
}
