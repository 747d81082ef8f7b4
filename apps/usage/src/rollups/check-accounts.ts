import type { Tx } from '@cairn/postgres';
import { monthAfter } from '../months/month.ts';

const EXPLAIN = `
  WITH explained AS (
    SELECT tenant_id, sum(granted)::bigint AS granted, sum(reserved)::bigint AS reserved,
           sum(settled)::bigint AS settled, sum(llm)::bigint AS llm
      FROM (
        SELECT tenant_id, micro_credits AS granted, 0 AS reserved, 0 AS settled, 0 AS llm
          FROM credit_grants WHERE month = $1::date
        UNION ALL
        SELECT tenant_id, 0, CASE WHEN state = 'reserved' THEN micro_credits ELSE 0 END,
               CASE WHEN state = 'settled' THEN micro_credits ELSE 0 END, 0
          FROM charges WHERE month = $1::date
        UNION ALL
        SELECT tenant_id, 0, 0, 0, micro_credits FROM llm_calls
         WHERE occurred_at >= $1::timestamp AT TIME ZONE 'UTC' AND occurred_at < $2::timestamp AT TIME ZONE 'UTC'
           AND micro_credits > 0
      ) AS entry
     GROUP BY tenant_id
  ), account AS (SELECT * FROM credit_accounts WHERE month = $1::date)
  SELECT tenant_id,
         ROW(coalesce(explained.granted, 0), coalesce(explained.reserved, 0), coalesce(explained.settled, 0), coalesce(explained.llm, 0))::text AS explained,
         ROW(coalesce(account.granted, 0), coalesce(account.reserved, 0), coalesce(account.settled, 0), coalesce(account.llm, 0))::text AS account
    FROM explained FULL JOIN account USING (tenant_id)
   WHERE ($3::text IS NULL OR tenant_id = $3)
     AND (coalesce(explained.granted, 0), coalesce(explained.reserved, 0), coalesce(explained.settled, 0), coalesce(explained.llm, 0))
      IS DISTINCT FROM
         (coalesce(account.granted, 0), coalesce(account.reserved, 0), coalesce(account.settled, 0), coalesce(account.llm, 0))
   ORDER BY tenant_id`;

/** Accounts of a month that differ from the sum of their grants, charges and calls, each in words. */
export async function differingAccounts(tx: Tx, month: string, tenantId: string | null): Promise<string[]> {
  const rows = await tx.query<{ tenant_id: string; explained: string; account: string }>(EXPLAIN, [
    month,
    monthAfter(month),
    tenantId,
  ]);
  return rows.map(
    ({ tenant_id, explained, account }) =>
      `${tenant_id} credits of ${month.slice(0, 7)} (granted, reserved, settled, llm): entries say ${explained}, the account ${account}`,
  );
}
