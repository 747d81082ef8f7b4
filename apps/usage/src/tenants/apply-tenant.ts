import type { Tx } from '@cairn/postgres';
import { shareWriting } from '../calls/call-store.ts';
import { monthAt } from '../calls/months.ts';
import { findAccount, openAccount } from '../credits/account-store.ts';
import { type TenantRow, upsertTenant } from './tenant-store.ts';

/** Takes over the state of a tenant; a plan that gives more raises the account of this month at once. */
export async function applyTenant(tx: Tx, tenant: TenantRow, now: Date): Promise<void> {
  await shareWriting(tx);
  await upsertTenant(tx, tenant);
  const month = monthAt(now);
  if ((await findAccount(tx, tenant.tenant_id, month)) !== null) await openAccount(tx, tenant.tenant_id, month);
}
