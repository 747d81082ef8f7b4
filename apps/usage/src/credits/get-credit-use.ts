import type { Database } from '@cairn/postgres';
import { monthAfter, monthAt } from '../months/month.ts';
import { balanceOf, findAccount } from '../stores/account-store.ts';
import { requireOpenTenant } from '../stores/tenant-store.ts';
import type { EnsureTenant } from '../tenants/ensure-tenant.ts';

/** Micro-credits of this month: what is spent or reserved, and what the balance counts down from. */
export async function getCreditUse(
  deps: { workerDatabase: Database; ensureTenant: EnsureTenant; now: () => Date },
  tenantId: string,
): Promise<{ used: number; granted: number; resetsAt: Date }> {
  await deps.ensureTenant(tenantId);
  const month = monthAt(deps.now());
  return deps.workerDatabase.transaction(async (tx) => {
    const tenant = await requireOpenTenant(tx, tenantId);
    const account = await findAccount(tx, tenantId, month);
    const granted = account?.granted ?? tenant.monthly_micro_credits ?? 0;
    const used = account === null ? 0 : account.granted - balanceOf(account);
    return { used, granted, resetsAt: new Date(`${monthAfter(month)}T00:00:00.000Z`) };
  });
}
