import { validationFailed } from '@cairn/errors';
import type { TenantCounts } from '../stores/tenant-store.ts';
import { changeTenant, type ChangeTenantDeps } from './change-tenant.ts';

/** Moves a tenant and its test tenant to another plan; the new limits apply to what is created from now on. */
export async function setTenantPlan(
  deps: ChangeTenantDeps,
  request: { tenantId: string; plan: string },
): Promise<TenantCounts> {
  const { plan } = request;
  if (!Object.hasOwn(deps.plans.plans, plan))
    throw validationFailed([{ path: 'plan', message: `must be one of ${Object.keys(deps.plans.plans).join(', ')}` }]);
  return changeTenant(deps, request.tenantId, (tenant) => ({ ...tenant, plan }));
}
