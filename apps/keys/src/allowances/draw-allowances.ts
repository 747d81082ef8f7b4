import type { DrawAllowancesRequest } from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import { isolateFailingRows } from '../isolate-failing-rows.ts';
import { assertWellFormedDraw, isWellFormedQuota } from './draw-bounds.ts';
import { drawQuotas, type QuotaState } from './quota-store.ts';
import { drawRates, type RateRequest } from './rate-store.ts';

const WANT_MAX = 1_000_000;

interface AllowanceDeps {
  workerDatabase: Database;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Grants a gateway requests to admit in advance. Over all gateways no more is granted than the rates and quotas allow;
 * a gateway that repeats a draw holds the same quota, and has drawn twice from its rates. An entry that is malformed,
 * or that the database rejects, is left out of the response; it never fails the others.
 */
export async function drawAllowances(
  deps: AllowanceDeps,
  { gatewayId, sequence, rates, quotas }: DrawAllowancesRequest,
) {
  assertWellFormedDraw(gatewayId, rates.length + quotas.length);
  const [drawn, held] = await Promise.all([
    inBatches(deps, rates.filter(isWellFormedRate), drawRates),
    inBatches(deps, quotas.filter(isWellFormedQuota), (tx, rows) => drawQuotas(tx, gatewayId, sequence, rows)),
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
  return isolateFailingRows(
    (run) => workerDatabase.transaction((tx) => run(tx, rows, (batch) => work(tx, batch))),
    (error, failed) =>
      logger.warn({ err: error, rows: failed }, 'allowances: part of a draw failed; the rest was granted'),
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

function isWellFormedRate({ keyId, requestsPerSecond, burst, want }: RateRequest): boolean {
  return keyId !== '' && requestsPerSecond > 0 && burst >= 1 && Number.isFinite(burst) && want <= WANT_MAX;
}
