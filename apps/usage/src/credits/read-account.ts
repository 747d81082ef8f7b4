import { validationFailed } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { monthAt } from '../calls/months.ts';
import type { KnowTenant } from '../tenants/know-tenant.ts';
import { assertOpen } from '../tenants/tenant-store.ts';
import { balanceOf, findAccount } from './account-store.ts';

/** What is left of this month in micro-credits, and whether anything is charged at all. */
export async function readAccount(
  parts: { workerDatabase: Database; knowTenant: KnowTenant; now: () => Date },
  tenantId: string,
): Promise<{ balance: number; livemode: boolean }> {
  if (tenantId === '') throw validationFailed([{ path: 'tenant_id', message: 'is required' }]);
  await parts.knowTenant(tenantId);
  return parts.workerDatabase.transaction(async (tx) => {
    const tenant = await assertOpen(tx, tenantId);
    const account = await findAccount(tx, tenantId, monthAt(parts.now()));
    const balance = account === null ? (tenant.monthly_micro_credits ?? 0) : balanceOf(account);
    return { balance, livemode: tenant.livemode };
  });
}
