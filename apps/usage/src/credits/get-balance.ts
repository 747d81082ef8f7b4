import { validationFailed } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { monthAt } from '../months/month.ts';
import type { EnsureTenant } from '../tenants/ensure-tenant.ts';
import { requireOpenTenant } from '../stores/tenant-store.ts';
import { balanceOf, findAccount } from '../stores/account-store.ts';

/** The balance of this month in micro-credits, and whether anything is charged at all. */
export async function getBalance(
  deps: { workerDatabase: Database; ensureTenant: EnsureTenant; now: () => Date },
  tenantId: string,
): Promise<{ balance: number; livemode: boolean }> {
  if (tenantId === '') throw validationFailed([{ path: 'tenant_id', message: 'is required' }]);
  await deps.ensureTenant(tenantId);
  return deps.workerDatabase.transaction(async (tx) => {
    const tenant = await requireOpenTenant(tx, tenantId);
    const account = await findAccount(tx, tenantId, monthAt(deps.now()));
    const balance = account === null ? (tenant.monthly_micro_credits ?? 0) : balanceOf(account);
    return { balance, livemode: tenant.livemode };
  });
}
