import type { Tx } from '@cairn/postgres';

/** With a tenant in each row. */
export const QUOTA_TABLES = ['quota_holds', 'quota_months'] as const;
/** A gateway that was not heard of for so long admits nothing out of what it holds. */
export const HOLD_KEPT_MS = 30_000;
/** Past the month that anybody may still settle. */
const KEPT_MONTHS = 3;

export interface QuotaWish {
  tenantId: string;
  /** Like 2026-11, in UTC. */
  month: string;
  spent: bigint;
  hold: bigint;
}

export interface QuotaState {
  tenant_id: string;
  month: string;
  /** Null, with `allowed`, for a tenant without a bound. */
  held: string | null;
  allowed: string | null;
  remaining: string | null;
}

/** Brings the holds of a gateway's boot to what it wants, as far as the plans let it. Needs the worker role. */
export async function drawQuotas(
  tx: Tx,
  gatewayId: string,
  sequence: bigint,
  wishes: readonly QuotaWish[],
): Promise<QuotaState[]> {
  return tx.query<QuotaState>(
    `SELECT wish.tenant_id, wish.month, drawn.held, drawn.allowed, drawn.remaining
       FROM (SELECT * FROM unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[])
               AS wish (tenant_id, month, spent, hold) ORDER BY tenant_id, month) wish,
            LATERAL draw_quota(wish.tenant_id, wish.month, $1, $2, wish.spent, wish.hold, $7) drawn`,
    [gatewayId, sequence, ...columnsOf(wishes), HOLD_KEPT_MS / 1_000],
  );
}

function columnsOf(wishes: readonly QuotaWish[]) {
  return [
    wishes.map((wish) => wish.tenantId),
    wishes.map((wish) => wish.month),
    wishes.map((wish) => wish.spent),
    wishes.map((wish) => wish.hold),
  ];
}

/**
 * Gives back what a boot that is no more did not spend, by its own notes. False while one of its holds is kept up:
 * then it may be spending.
 */
export async function settleHolds(tx: Tx, gatewayId: string, notes: readonly QuotaWish[]): Promise<boolean> {
  // The months first, like a draw.
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
    `WITH noted AS (SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[])
                      AS note (tenant_id, month, spent, hold)),
          ended AS (
       SELECT tenant_id, month, held, least(held, greatest(quota_holds.spent, coalesce(noted.spent, 0))) AS spent
         FROM quota_holds LEFT JOIN noted USING (tenant_id, month) WHERE gateway_id = $1),
          settled AS (
       UPDATE quota_holds SET held = ended.spent, spent = ended.spent FROM ended
        WHERE quota_holds.gateway_id = $1 AND quota_holds.tenant_id = ended.tenant_id AND quota_holds.month = ended.month)
     UPDATE quota_months SET held = quota_months.held - (ended.held - ended.spent) FROM ended
      WHERE quota_months.tenant_id = ended.tenant_id AND quota_months.month = ended.month`,
    [gatewayId, ...columnsOf(notes)],
  );
  return true;
}

/** Forgets months that are long over. */
export async function forgetOldMonths(tx: Tx): Promise<void> {
  const before = `month < to_char(now() AT TIME ZONE 'UTC' - make_interval(months => $1), 'YYYY-MM')`;
  await tx.execute(`DELETE FROM quota_holds WHERE ${before}`, [KEPT_MONTHS]);
  await tx.execute(`DELETE FROM quota_months WHERE ${before}`, [KEPT_MONTHS]);
}
