import type { TenantRef } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import { upsertTenant } from './key-store.ts';

/** Takes over what tenancy says of a tenant, unless something newer is known. Needs the worker role. */
export async function applyTenant(parts: { workerDatabase: Database }, tenant: TenantRef): Promise<void> {
  await parts.workerDatabase.transaction((tx) =>
    upsertTenant(tx, {
      tenant_id: tenant.tenantId,
      twin_of: tenant.twinOf === '' ? null : tenant.twinOf,
      livemode: tenant.livemode,
      plan: tenant.plan,
      status: tenant.status === '' ? 'active' : tenant.status,
      revision: Number(tenant.revision),
      requests_per_second: tenant.rateLimit?.requestsPerSecond ?? 0,
      burst: tenant.rateLimit?.burst ?? 0,
    }),
  );
}
