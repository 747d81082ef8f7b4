import { memorySettingsOf } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { type PlanCatalog, planOf } from '../plans/plans.ts';
import { listSpaceRows } from '../stores/space-store.ts';
import { findTenant, type TenantRow } from '../stores/tenant-store.ts';
import { spaceMessage } from './messages.ts';
import { resolveMemory } from './resolve-memory.ts';

/** What the memory service needs to know of a memory: its settings, its spaces when asked for, its storage limits. */
export async function getMemorySettings(
  deps: { database: Database; plans: PlanCatalog },
  request: { tenantId: string; memoryId: string; withSpaces: boolean },
) {
  const { tenantId, memoryId, withSpaces } = request;
  return deps.database.withTenant(
    tenantId,
    async (tx) => {
      const memory = await resolveMemory(tx, memoryId);
      const spaces = withSpaces ? await listSpaceRows(tx, { memoryId, spaceId: null, after: '', fetch: null }) : [];
      return {
        settings: memorySettingsOf(memory),
        // A memory service of the release before `settings` reads these two.
        dlpPolicy: memory.dlp_policy,
        keepOriginals: memory.keep_originals,
        engineId: memory.engine_id,
        spaces: spaces.map(spaceMessage),
        limits: storageLimitsOf(await findTenant(tx), deps.plans),
      };
    },
    { mode: 'snapshot' },
  );
}

function storageLimitsOf(tenant: TenantRow | null, plans: PlanCatalog) {
  if (tenant === null) throw notFound('The tenant');
  const { limits, next, upgrade_url: upgradeUrl } = planOf(plans, tenant);
  return {
    documents: BigInt(limits.documents),
    storedBytes: BigInt(limits.stored_bytes),
    plan: tenant.plan,
    suggestedPlan: next ?? '',
    upgradeUrl: upgradeUrl ?? '',
  };
}
