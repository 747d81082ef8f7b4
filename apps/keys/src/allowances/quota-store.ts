import type { Tx } from '@cairn/postgres';

/** Tables with a `tenant_id`, for erasure. */
export const QUOTA_TABLES = ['quota_holds', 'quota_months'] as const;
/** A gateway that has been silent for so long admits nothing from its holds. */
const HOLD_RETENTION_MS = 30_000;
/** Beyond the last month that a gateway may still settle. */
const RETENTION_MONTHS = 3;

export interface QuotaRequest {
  tenantId: string;
  /** Like 2026-11, in UTC. */
  month: string;
  spent: bigint;
  hold: bigint;
}

export interface QuotaState {
  tenant_id: string;
  month: string;
  /** Null, like `allowed`, for a tenant with an unlimited quota. */
  held: string | null;
  allowed: string | null;
  remaining: string | null;
}

/** Adjusts the holds of a gateway process to what it requests, as far as the plans permit. Needs the worker role. */
export async function drawQuotas(
  tx: Tx,
  gatewayId: string,
  sequence: bigint,
  requests: readonly QuotaRequest[],
): Promise<QuotaState[]> {
  return tx.query<QuotaState>(
    `SELECT request.tenant_id, request.month, drawn.held, drawn.allowed, drawn.remaining
       FROM (SELECT * FROM unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[])
               AS request (tenant_id, month, spent, hold) ORDER BY tenant_id, month) request,
            LATERAL draw_quota(request.tenant_id, request.month, $1, $2, request.spent, request.hold, $7) drawn`,
    [gatewayId, sequence, ...columnsOf(requests), HOLD_RETENTION_MS / 1_000],
  );
}

function columnsOf(requests: readonly QuotaRequest[]) {
  return [
    requests.map((request) => request.tenantId),
    requests.map((request) => request.month),
    requests.map((request) => request.spent),
    requests.map((request) => request.hold),
  ];
}

/**
 * Releases what a dead gateway process had not spent according to its journal. False while one of its holds is still
 * being renewed: then it may be spending.
 */
export async function settleQuotas(tx: Tx, gatewayId: string, journal: readonly QuotaRequest[]): Promise<boolean> {
  // Months are locked before holds, as in a draw.
  await tx.execute(
    `SELECT FROM quota_months WHERE (tenant_id, month) IN
       (SELECT tenant_id, month FROM quota_holds WHERE gateway_id = $1) ORDER BY tenant_id, month FOR UPDATE`,
    [gatewayId],
  );
  const live = await tx.query(
    'SELECT FROM quota_holds WHERE gateway_id = $1 AND expires_at > clock_timestamp() LIMIT 1',
    [gatewayId],
  );
  if (live.length > 0) return false;
  await tx.execute(
    `WITH journal AS (SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[])
                      AS entry (tenant_id, month, spent, hold)),
          ended AS (
       SELECT tenant_id, month, held, least(held, greatest(quota_holds.spent, coalesce(journal.spent, 0))) AS spent
         FROM quota_holds LEFT JOIN journal USING (tenant_id, month) WHERE gateway_id = $1),
          settled AS (
       UPDATE quota_holds SET held = ended.spent, spent = ended.spent FROM ended
        WHERE quota_holds.gateway_id = $1 AND quota_holds.tenant_id = ended.tenant_id AND quota_holds.month = ended.month)
     UPDATE quota_months SET held = quota_months.held - (ended.held - ended.spent) FROM ended
      WHERE quota_months.tenant_id = ended.tenant_id AND quota_months.month = ended.month`,
    [gatewayId, ...columnsOf(journal)],
  );
  return true;
}

/** Requests of a month that gateways have admitted or may still admit. Needs the worker role. */
export async function heldRequests(tx: Tx, tenantId: string, month: string): Promise<number> {
  const rows = await tx.query<{ held: number }>('SELECT held FROM quota_months WHERE tenant_id = $1 AND month = $2', [
    tenantId,
    month,
  ]);
  return rows[0]?.held ?? 0;
}

/** Deletes months that are long over. */
export async function deleteOldMonths(tx: Tx): Promise<void> {
  const before = `month < to_char(now() AT TIME ZONE 'UTC' - make_interval(months => $1), 'YYYY-MM')`;
  await tx.execute(`DELETE FROM quota_holds WHERE ${before}`, [RETENTION_MONTHS]);
  await tx.execute(`DELETE FROM quota_months WHERE ${before}`, [RETENTION_MONTHS]);
}
