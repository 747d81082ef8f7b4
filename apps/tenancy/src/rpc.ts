import {
  EngineDirectoryService,
  MemorySettingsService,
  type MemoryMessage,
  ProviderKeyService,
  type SpaceMessage,
  TenancyService,
  TenantDirectoryService,
} from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import { type BoundService, requireService, rpc, type RpcContext } from '@cairn/service-kit';
import { engineConnections } from './engines/operate-engines.ts';
import { findMemory, findMemoryBySubdomain, type MemoryRow } from './memories/memory-store.ts';
import { revealProviderKey } from './provider-keys/reveal-and-reseal.ts';
import type { Sealing } from '@cairn/sealing';
import { type PlanBook, planOf } from './tenants/plans.ts';
import { findTenant, type TenantRow } from './tenants/tenant-store.ts';
import { findSpace, listSpaceRows, type SpaceRow } from './spaces/space-store.ts';
import { tenantPlan } from './tenants/tenant-plan.ts';
import { findDefaultWorkspace } from './workspaces/workspace-store.ts';

export interface RpcParts {
  database: Database;
  workerDatabase: Database;
  sealing: Sealing;
  plans: PlanBook;
}

const REVEALING_SERVICES = ['memory', 'research'];

/** The calls other parts make of this service. */
export function rpcServices(parts: RpcParts): BoundService[] {
  return [
    rpc(TenancyService, {
      async getMemory(request, context) {
        const { tenantId } = callerOf(context);
        const memory = await parts.database.withTenant(tenantId, (tx) => memoryMeant(tx, request.memoryId));
        return { memory: memoryMessage(memory) };
      },
      async getSpace(request, context) {
        const { tenantId } = callerOf(context);
        return parts.database.withTenant(
          tenantId,
          async (tx) => {
            const space = await findSpace(tx, request.spaceId);
            if (space === null) throw notFound('The space');
            return { space: spaceMessage(space), memory: memoryMessage(await memoryMeant(tx, space.memory_id)) };
          },
          { mode: 'snapshot' },
        );
      },
      async listSpaces(request, context) {
        const { tenantId } = callerOf(context);
        const view = { memoryId: request.memoryId, spaceId: null, after: '', fetch: null };
        const rows = await parts.database.withTenant(tenantId, (tx) => listSpaceRows(tx, view));
        return { spaces: rows.map(spaceMessage) };
      },
      async listTenantEngines(_request, context) {
        const { tenantId } = callerOf(context);
        const rows = await parts.database.withTenant(tenantId, (tx) =>
          tx.query<{ engine_id: string }>(
            "SELECT DISTINCT engine_id FROM memories WHERE status IN ('active', 'suspended') ORDER BY engine_id",
          ),
        );
        return { engineIds: rows.map((row) => row.engine_id) };
      },
      async findMemoryHost(request, context) {
        requireService(context, 'gateway');
        const memory = await parts.workerDatabase.transaction((tx) => findMemoryBySubdomain(tx, request.subdomain));
        if (memory === null) throw notFound('The memory');
        return { memoryId: memory.memory_id, tenantId: memory.tenant_id };
      },
    }),
    rpc(EngineDirectoryService, {
      async listEngineConnections(_request, context) {
        requireService(context, 'memory');
        return { engines: await engineConnections(parts) };
      },
    }),
    rpc(TenantDirectoryService, {
      async getTenantPlan(request, context) {
        requireService(context, 'usage');
        return tenantPlan(parts, request.tenantId);
      },
    }),
    memorySettings(parts),
    rpc(ProviderKeyService, {
      async revealProviderKey(request, context) {
        const { caller } = context;
        if (caller.kind !== 'service' || !REVEALING_SERVICES.includes(caller.service.service))
          throw new CairnError('permission_denied', 'Only services that call models may ask for a key.');
        return revealProviderKey(parts, request);
      },
    }),
  ];
}

function callerOf(context: RpcContext) {
  if (context.caller.kind !== 'tenant')
    throw new CairnError('permission_denied', 'This is looked up in a caller’s name.');
  return context.caller.identity;
}

function memorySettings(parts: RpcParts): BoundService {
  return rpc(MemorySettingsService, {
    async getMemorySettings({ tenantId, memoryId, withSpaces }, context) {
      requireService(context, 'memory');
      return parts.database.withTenant(
        tenantId,
        async (tx) => {
          const memory = await memoryMeant(tx, memoryId);
          const spaces = withSpaces ? await listSpaceRows(tx, { memoryId, spaceId: null, after: '', fetch: null }) : [];
          return {
            dlpPolicy: memory.dlp_policy,
            spaces: spaces.map(spaceMessage),
            limits: storageLimitsOf(await findTenant(tx), parts.plans),
          };
        },
        { mode: 'snapshot' },
      );
    },
  });
}

function storageLimitsOf(tenant: TenantRow | null, plans: PlanBook) {
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

/** The memory with the id, or the default workspace's primary one; what is being deleted is not there any more. */
async function memoryMeant(tx: Tx, wishedId: string): Promise<MemoryRow> {
  const memoryId = wishedId === '' ? (await findDefaultWorkspace(tx))?.primary_memory_id : wishedId;
  const memory = memoryId === undefined || memoryId === null ? null : await findMemory(tx, memoryId);
  if (memory === null || memory.status === 'deleting') throw notFound('The memory');
  return memory;
}

function memoryMessage(memory: MemoryRow): Omit<MemoryMessage, '$typeName' | '$unknown'> {
  return {
    memoryId: memory.memory_id,
    tenantId: memory.tenant_id,
    workspaceId: memory.workspace_id,
    type: memory.type,
    status: memory.status,
    rootVaultId: memory.root_vault_id,
    dlpPolicy: memory.dlp_policy,
    subdomain: memory.subdomain,
    engineId: memory.engine_id,
  };
}

function spaceMessage(space: SpaceRow): Omit<SpaceMessage, '$typeName' | '$unknown'> {
  return {
    spaceId: space.space_id,
    memoryId: space.memory_id,
    vaultId: space.vault_id,
    name: space.name,
    description: space.description,
    slug: space.slug,
  };
}
