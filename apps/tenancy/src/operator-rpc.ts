import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type MemoryMoveService, TenancyOperatorService } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import {
  type BoundService,
  requireService,
  rpc,
  type RpcClient,
  type RpcContext,
  type ServiceHandlers,
} from '@cairn/service-kit';
import { addEngine } from './engines/add-engine.ts';
import { manageSearch } from './engines/manage-search.ts';
import { drainEngine } from './engines/drain-engine.ts';
import { listMovesInProgress, moveMemory } from './engines/move-memory.ts';
import { spreadMemories } from './engines/spread-memories.ts';
import type { EngineDeps } from './engines/prepare-engine.ts';
import { listEngines } from './engines/list-engines.ts';
import { reconcileEngines } from './engines/reconcile-engines.ts';
import { setEngineReplicas } from './engines/set-engine-replicas.ts';
import { credentialLimitsOf } from './plans/plans.ts';
import { reencryptSecrets } from './reencrypt-secrets.ts';
import type { ListedEngine } from './stores/engine-store.ts';
import type { TenantCounts } from './stores/tenant-store.ts';
import type { ChangeTenantDeps } from './tenants/change-tenant.ts';
import { createTenant, type NewTenant } from './tenants/create-tenant.ts';
import { deleteTenant } from './tenants/delete-tenant.ts';
import { listTenants } from './tenants/list-tenants.ts';
import { setTenantPlan } from './tenants/set-tenant-plan.ts';
import { setTenantStatus } from './tenants/set-tenant-status.ts';

type OperatorDeps = ChangeTenantDeps &
  EngineDeps & { workerDatabase: Database; memoryMoves: RpcClient<typeof MemoryMoveService> };

/** What the operator's command line calls; refused to everybody else. */
export function operatorRpc(deps: OperatorDeps): BoundService {
  const handlers: ServiceHandlers<typeof TenancyOperatorService> = {
    async createTenant(request) {
      const { live, test } = await createTenant(deps, request);
      return { live: newTenantMessage(live), test: newTenantMessage(test) };
    },
    listTenants: async () => ({ tenants: (await listTenants(deps)).map(summaryOf) }),
    setTenantStatus: async (request) => ({ tenant: summaryOf(await setTenantStatus(deps, request)) }),
    setTenantPlan: async (request) => ({ tenant: summaryOf(await setTenantPlan(deps, request)) }),
    deleteTenant: async (request) => ({ tenant: summaryOf(await deleteTenant(deps, request)) }),
    addEngine: async (request) => ({ engine: engineMessage(await addEngine(deps, request)) }),
    setEngineReplicas: async (request) => {
      const engine = await setEngineReplicas(deps, request);
      return { engine: { ...engineMessage(engine), replicas: request.replicas } };
    },
    listEngines: async () => ({
      engines: (await listEngines(deps)).map(({ replicas, ...engine }) => ({ ...engineMessage(engine), replicas })),
    }),
    drainEngine: async (request) => ({ engine: engineMessage(await drainEngine(deps, request)) }),
    reconcileEngines: async ({ erase }) => ({ engines: await reconcileEngines(deps, erase) }),
    moveMemory: async (request) => ({ move: await moveMemory(deps, request) }),
    spreadMemories: async (request) => spreadMemories(deps, request),
    listMoves: async () => ({ moves: await deps.workerDatabase.transaction((tx) => listMovesInProgress(tx, null)) }),
    manageSearch: async (request) => manageSearch(deps, request),
    reencryptSecrets: async () => ({ resealed: await reencryptSecrets(deps) }),
  };
  return rpc(TenancyOperatorService, operatorOnly(handlers));
}

function operatorOnly(
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
  return {
    engineId: engine.engine_id,
    name: engine.name,
    kind: engine.kind,
    status: engine.status,
    weight: engine.weight,
    memories: engine.memories,
    location: engine.location,
    ...(engine.measured_at === null ? {} : { use: useOf(engine, engine.measured_at) }),
  };
}

function useOf(engine: ListedEngine, measuredAt: Date) {
  return {
    bytes: BigInt(engine.bytes ?? 0),
    chunks: BigInt(engine.chunks ?? 0),
    transactionsPerSecond: engine.transactions_per_second ?? 0,
    measuredAt: timestampFromDate(measuredAt),
  };
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
