import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { TenancyOperatorService } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import { type BoundService, requireService, rpc, type RpcContext, type ServiceHandlers } from '@cairn/service-kit';
import { addEngine, drainEngine, type ListedEngine } from './engines/operate-engines.ts';
import { listEngineRows } from './engines/engine-store.ts';
import type { EngineParts } from './engines/set-up-engine.ts';
import { resealSecrets } from './provider-keys/reveal-and-reseal.ts';
import { createTenant, type NewTenant } from './tenants/create-tenant.ts';
import {
  deleteTenant,
  listTenants,
  type OperateParts,
  setTenantPlan,
  setTenantStatus,
} from './tenants/operate-tenants.ts';
import { credentialLimitsOf } from './tenants/plans.ts';
import type { TenantCounts } from './tenants/tenant-store.ts';

export type OperatorParts = OperateParts & EngineParts & { workerDatabase: Database };

/** What the operator's command line asks; nobody else may. */
export function operatorRpc(parts: OperatorParts): BoundService {
  const handlers: ServiceHandlers<typeof TenancyOperatorService> = {
    async createTenant(request) {
      const { live, test } = await createTenant(parts, request);
      return { live: newTenantMessage(live), test: newTenantMessage(test) };
    },
    listTenants: async () => ({ tenants: (await listTenants(parts)).map(summaryOf) }),
    setTenantStatus: async (request) => ({ tenant: summaryOf(await setTenantStatus(parts, request)) }),
    setTenantPlan: async (request) => ({ tenant: summaryOf(await setTenantPlan(parts, request)) }),
    deleteTenant: async (request) => ({ tenant: summaryOf(await deleteTenant(parts, request)) }),
    addEngine: async (request) => ({ engine: engineMessage(await addEngine(parts, request)) }),
    listEngines: async () => ({
      engines: (await parts.workerDatabase.transaction(listEngineRows)).map(engineMessage),
    }),
    drainEngine: async (request) => ({ engine: engineMessage(await drainEngine(parts, request)) }),
    resealSecrets: async () => ({ resealed: await resealSecrets(parts) }),
  };
  return rpc(TenancyOperatorService, forOperatorOnly(handlers));
}

function forOperatorOnly(
  handlers: ServiceHandlers<typeof TenancyOperatorService>,
): ServiceHandlers<typeof TenancyOperatorService> {
  const guarded = Object.entries(handlers).map(([name, handler]) => [
    name,
    async (request: never, context: RpcContext) => {
      requireService(context, 'operator');
      return handler(request, context);
    },
  ]);
  return Object.fromEntries(guarded) as ServiceHandlers<typeof TenancyOperatorService>;
}

function summaryOf(tenant: TenantCounts) {
  return {
    tenantId: tenant.tenant_id,
    name: tenant.name,
    plan: tenant.plan,
    status: tenant.status,
    workspaces: tenant.workspaces,
    memories: tenant.memories,
    createdAt: timestampFromDate(tenant.created_at),
  };
}

function engineMessage(engine: ListedEngine) {
  const { engine_id: engineId, name, kind, status, weight, memories, location } = engine;
  return { engineId, name, kind, status, weight, memories, location };
}

function newTenantMessage({ tenant, workspace, memory, plan }: NewTenant) {
  return {
    tenantId: tenant.tenant_id,
    name: tenant.name,
    livemode: tenant.livemode,
    plan: tenant.plan,
    revision: BigInt(tenant.revision),
    requestsPerSecond: plan.requests_per_second,
    monthlyRequests: BigInt(plan.monthly_requests),
    burst: plan.burst,
    ...credentialLimitsOf(plan),
    defaultWorkspaceId: workspace.workspace_id,
    primaryMemoryId: memory.memory_id,
    primaryMemorySubdomain: memory.subdomain,
    twinOf: tenant.twin_of ?? '',
  };
}
