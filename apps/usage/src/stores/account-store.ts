import type { Tx } from '@cairn/postgres';

/** Micro-credits of one tenant and month. */
export interface Account {
  granted: number;
  reserved: number;
  settled: number;
  llm: number;
}

export const MICRO = 1_000_000;

export function balanceOf(account: Account): number {
  return account.granted - account.reserved - account.settled - account.llm;
}

export async function findAccount(tx: Tx, tenantId: string, month: string): Promise<Account | null> {
  const rows = await tx.query<Account>({
    name: 'credit_account',
    text: 'SELECT granted, reserved, settled, llm FROM credit_accounts WHERE tenant_id = $1 AND month = $2',
    values: [tenantId, month],
  });
  return rows[0] ?? null;
}

/**
 * Opens the account of a month with what the tenant's plan grants, and raises it when the plan grants more by now. A
 * plan that grants less applies from the next month on, so that nothing reserved is taken back.
 */
export async function openAccount(tx: Tx, tenantId: string, month: string): Promise<void> {
  await tx.execute({
    name: 'credit_account_open',
    text: `INSERT INTO credit_accounts (tenant_id, month, granted, reserved, settled, llm) VALUES ($1, $2, 0, 0, 0, 0)
           ON CONFLICT DO NOTHING`,
    values: [tenantId, month],
  });
  // Two statements: the second one reads what others committed while the first waited for them.
  await tx.execute({
    name: 'credit_account_grant',
    text: `WITH due AS (
             SELECT account.tenant_id, account.month, tenant.plan, tenant.monthly_micro_credits - account.granted AS more
               FROM credit_accounts account JOIN tenants tenant USING (tenant_id)
              WHERE account.tenant_id = $1 AND account.month = $2 AND tenant.monthly_micro_credits > account.granted
                FOR UPDATE OF account
           ), granted AS (
             INSERT INTO credit_grants (tenant_id, month, plan, micro_credits) SELECT tenant_id, month, plan, more FROM due
           )
           UPDATE credit_accounts account SET granted = account.granted + due.more FROM due
            WHERE account.tenant_id = due.tenant_id AND account.month = due.month`,
    values: [tenantId, month],
  });
}

/** Debits what model calls cost; the balance may become negative. */
export async function debitAccount(tx: Tx, tenantId: string, month: string, microCredits: number): Promise<void> {
  await tx.execute({
    name: 'credit_account_debit',
    text: 'UPDATE credit_accounts SET llm = llm + $3 WHERE tenant_id = $1 AND month = $2',
    values: [tenantId, month, microCredits],
  });
}

/** Reserves if the balance suffices; otherwise writes nothing and returns false. */
export async function reserveFrom(tx: Tx, tenantId: string, month: string, microCredits: number): Promise<boolean> {
  const reserved = await tx.execute({
    name: 'credit_account_reserve',
    text: `UPDATE credit_accounts SET reserved = reserved + $3::bigint
            WHERE tenant_id = $1 AND month = $2 AND granted - reserved - settled - llm >= $3::bigint`,
    values: [tenantId, month, microCredits],
  });
  return reserved === 1;
}

/** Ends a reservation: the credits are spent, or available again. */
export async function endReservation(
  tx: Tx,
  charge: { tenant_id: string; month: string; micro_credits: number },
  state: 'settled' | 'released',
): Promise<void> {
  await tx.execute({
    name: 'credit_account_end',
    text: `UPDATE credit_accounts SET reserved = reserved - $3::bigint, settled = settled + $4::bigint
            WHERE tenant_id = $1 AND month = $2`,
    values: [charge.tenant_id, charge.month, charge.micro_credits, state === 'settled' ? charge.micro_credits : 0],
  });
}
