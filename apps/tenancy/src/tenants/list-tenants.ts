import type { Database } from '@cairn/postgres';
import { listTenantCounts, type TenantCounts } from '../stores/tenant-store.ts';

/** Live tenants with the number of their workspaces and memories, oldest first. */
export function listTenants(deps: { workerDatabase: Database }): Promise<TenantCounts[]> {
  return deps.workerDatabase.transaction((tx) => listTenantCounts(tx, null));
}
