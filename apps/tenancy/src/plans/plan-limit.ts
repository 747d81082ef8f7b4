import { CairnError } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { planOf, type PlanCatalog } from './plans.ts';
import { countMemories } from '../stores/memory-store.ts';
import { countSpaces } from '../stores/space-store.ts';
import { countWorkspaces } from '../stores/workspace-store.ts';
import { lockTenant, type TenantRow } from '../stores/tenant-store.ts';

/** How each limited resource is counted. */
const COUNTS = { workspaces: countWorkspaces, memories: countMemories, spaces: countSpaces } as const;
const NOTE = 'Credits do not raise this limit; a larger plan does.';

/**
 * Locks the tenant's row and throws `plan_limit_reached` (402) when its plan allows no more of the resource. A tenant
 * that is being deleted gets nothing more (`conflict`): its erasure has marked what there was.
 */
export async function lockTenantWithinLimit(
  tx: Tx,
  resource: keyof typeof COUNTS,
  plans: PlanCatalog,
): Promise<TenantRow> {
  const tenant = await lockTenant(tx);
  if (tenant === null)
    throw new CairnError('internal', '', { internal: 'the identity names a tenant that does not exist' });
  if (tenant.status === 'deleting') throw new CairnError('conflict', 'The tenant is being deleted.');
  const plan = planOf(plans, tenant);
  const limit = plan.limits[resource];
  const current = await COUNTS[resource](tx, tenant.tenant_id);
  if (current >= limit) {
    throw new CairnError('plan_limit_reached', `The plan ${tenant.plan} allows ${limit} ${resource}.`, {
      upgrade: {
        resource,
        limit,
        current,
        plan: tenant.plan,
        suggested_plan: plan.next,
        upgrade_url: plan.upgrade_url,
        note: NOTE,
      },
    });
  }
  return tenant;
}
