import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { heldRequests } from '../allowances/quota-store.ts';
import { findTenant } from '../tenants/tenant-store.ts';
import { credentialUse } from './plan-limits.ts';

/** What a tenant uses of the limits that are enforced here; throws `not_found` for an unknown tenant. */
export async function getCredentialUse(deps: { workerDatabase: Database; now: () => Date }, tenantId: string) {
  const now = deps.now();
  return deps.workerDatabase.transaction(async (tx) => {
    const tenant = await findTenant(tx, tenantId);
    if (tenant === null) throw notFound('The tenant');
    const { apiKeys, oauthClients } = await credentialUse(tx, tenant, now);
    const held = await heldRequests(tx, tenantId, now.toISOString().slice(0, 7));
    return {
      apiKeys: { used: BigInt(apiKeys.used), limit: BigInt(apiKeys.limit) },
      oauthClients: { used: BigInt(oauthClients.used), limit: BigInt(oauthClients.limit) },
      monthlyRequests: {
        used: BigInt(held),
        ...(tenant.monthly_requests === null ? {} : { limit: BigInt(tenant.monthly_requests) }),
      },
      rateLimit: { requestsPerSecond: tenant.requests_per_second, burst: tenant.burst },
      resetsAt: timestampFromDate(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))),
    };
  });
}
