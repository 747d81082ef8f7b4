import { validationFailed } from '@cairn/errors';
import type { TenantCounts } from '../stores/tenant-store.ts';
import { changeTenant, type ChangeTenantDeps } from './change-tenant.ts';

/** Suspends a tenant and its test tenant, or resumes them. In force when this returns. */
export async function setTenantStatus(
  deps: ChangeTenantDeps,
  request: { tenantId: string; status: string },
): Promise<TenantCounts> {
  const { status } = request;
  if (status !== 'active' && status !== 'suspended')
    throw validationFailed([{ path: 'status', message: 'must be active or suspended' }]);
  return changeTenant(deps, request.tenantId, (tenant) => ({ ...tenant, status }));
}
