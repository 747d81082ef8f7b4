import type { TenantCounts } from '../stores/tenant-store.ts';
import { beginTenantErasure } from './begin-tenant-erasure.ts';
import { changeTenant, type ChangeTenantDeps } from './change-tenant.ts';

/**
 * Deletes a tenant with its test tenant and everything they own. Requests are refused when this returns; the erasure
 * goes on in the background.
 */
export async function deleteTenant(deps: ChangeTenantDeps, request: { tenantId: string }): Promise<TenantCounts> {
  return changeTenant(deps, request.tenantId, (tenant) => ({ ...tenant, status: 'deleting' }), beginTenantErasure);
}
