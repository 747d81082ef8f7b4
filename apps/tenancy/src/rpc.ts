import {
  EngineDirectoryService,
  MemorySettingsService,
  ProviderKeyService,
  TenancyService,
  TenantDirectoryService,
} from '@cairn/contracts';
import type { KeyRing } from '@cairn/encryption';
import { CairnError, notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { type BoundService, requireService, rpc, type RpcContext } from '@cairn/service-kit';
import { listEngineConnections } from './engines/list-engine-connections.ts';
import { getMemorySettings } from './memories/get-memory-settings.ts';
import { memoryMessage, spaceMessage } from './memories/messages.ts';
import { resolveMemory } from './memories/resolve-memory.ts';
import type { PlanCatalog } from './plans/plans.ts';
import { revealProviderKey } from './provider-keys/reveal-provider-key.ts';
import { findMemoryBySubdomain, listMemoryEngines } from './stores/memory-store.ts';
import { findSpace, listSpaceRows } from './stores/space-store.ts';
import { describeTenant, type DescribeTenantDeps } from './tenants/describe-tenant.ts';
import { getTenantPlan } from './tenants/get-tenant-plan.ts';

interface RpcDeps extends DescribeTenantDeps {
  database: Database;
  workerDatabase: Database;
  keyRing: KeyRing;
  plans: PlanCatalog;
}

const REVEALING_SERVICES = ['memory', 'research'];

/** What the other services call. */
export function rpcServices(deps: RpcDeps): BoundService[] {
  return [
    tenancyService(deps),
    rpc(EngineDirectoryService, {
      async listEngineConnections(_request, context) {
        requireService(context, 'memory');
        return { engines: await listEngineConnections(deps) };
      },
    }),
    rpc(TenantDirectoryService, {
      async getTenantPlan(request, context) {
        requireService(context, 'usage');
        return getTenantPlan(deps, request.tenantId);
      },
    }),
    rpc(MemorySettingsService, {
      async getMemorySettings(request, context) {
        requireService(context, 'memory');
        return getMemorySettings(deps, request);
      },
    }),
    rpc(ProviderKeyService, {
      async revealProviderKey(request, context) {
        const { caller } = context;
        if (caller.kind !== 'service' || !REVEALING_SERVICES.includes(caller.service.service))
          throw new CairnError('permission_denied', 'Only services that call models may ask for a key.');
        return revealProviderKey(deps, request);
      },
    }),
  ];
}

function tenancyService(deps: RpcDeps): BoundService {
  const { database, workerDatabase } = deps;
  return rpc(TenancyService, {
    async getMemory(request, context) {
      const { tenantId } = identityOf(context);
      const memory = await database.withTenant(tenantId, (tx) => resolveMemory(tx, request.memoryId));
      return { memory: memoryMessage(memory) };
    },
    async getSpace(request, context) {
      const { tenantId } = identityOf(context);
      return database.withTenant(
        tenantId,
        async (tx) => {
          const space = await findSpace(tx, request.spaceId);
          if (space === null) throw notFound('The space');
          return { space: spaceMessage(space), memory: memoryMessage(await resolveMemory(tx, space.memory_id)) };
        },
        { mode: 'snapshot' },
      );
    },
    async listSpaces(request, context) {
      const { tenantId } = identityOf(context);
      const view = { memoryId: request.memoryId, spaceId: null, after: '', fetch: null };
      const rows = await database.withTenant(tenantId, (tx) => listSpaceRows(tx, view));
      return { spaces: rows.map(spaceMessage) };
    },
    async listTenantEngines(_request, context) {
      const { tenantId } = identityOf(context);
      return { engineIds: await database.withTenant(tenantId, listMemoryEngines) };
    },
    async describeTenant(_request, context) {
      return describeTenant(deps, identityOf(context).tenantId);
    },
    async findMemoryHost(request, context) {
      requireService(context, 'gateway');
      const memory = await workerDatabase.transaction((tx) => findMemoryBySubdomain(tx, request.subdomain));
      if (memory === null) throw notFound('The memory');
      return { memoryId: memory.memory_id, tenantId: memory.tenant_id };
    },
  });
}

function identityOf(context: RpcContext) {
  if (context.caller.kind !== 'tenant')
    throw new CairnError('permission_denied', 'This is looked up in a caller’s name.');
  return context.caller.identity;
}
