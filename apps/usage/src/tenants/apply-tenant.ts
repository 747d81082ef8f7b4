import type { Tx } from '@cairn/postgres';
import { acquireSharedWriteLock } from '../stores/write-lock.ts';
import { monthAt } from '../months/month.ts';
import { findAccount, openAccount } from '../stores/account-store.ts';
import { type TenantRow, upsertTenant } from '../stores/tenant-store.ts';

/** Stores the state of a tenant; a plan that grants more raises the account of this month at once. */
export async function applyTenant(tx: Tx, tenant: TenantRow, now: Date): Promise<void> {
  await acquireSharedWriteLock(tx);
  await upsertTenant(tx, tenant);
  const month = monthAt(now);
  if ((await findAccount(tx, tenant.tenant_id, month)) !== null) await openAccount(tx, tenant.tenant_id, month);
}
