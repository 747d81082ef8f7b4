import { TenancyOperatorService, TenancyService } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { type BoundService, requireService, rpc } from '@cairn/service-kit';
import { createTenant, type NewTenant } from './create-tenant.ts';
import type { PlanBook } from './plans.ts';
import { findDefaultWorkspace, findMemory, findMemoryBySubdomain } from './tenancy-store.ts';

/** The calls other parts make of this service. */
export function rpcServices(parts: { database: Database; workerDatabase: Database; plans: PlanBook }): BoundService[] {
  return [
    rpc(TenancyService, {
      async getMemory(request, context) {
        if (context.caller.kind !== 'tenant')
          throw new CairnError('permission_denied', 'A memory is looked up in a caller’s name.');
        const { tenantId } = context.caller.identity;
        const memory = await parts.database.withTenant(tenantId, async (tx) => {
          const memoryId =
            request.memoryId === '' ? (await findDefaultWorkspace(tx))?.primary_memory_id : request.memoryId;
          return memoryId === undefined ? null : findMemory(tx, memoryId);
        });
        if (memory === null) throw notFound('The memory');
        return {
          memory: {
            memoryId: memory.memory_id,
            tenantId: memory.tenant_id,
            workspaceId: memory.workspace_id,
            type: memory.type,
            status: memory.status,
            rootVaultId: memory.root_vault_id,
            dlpPolicy: memory.dlp_policy,
            subdomain: memory.subdomain,
          },
        };
      },
      async findMemoryHost(request, context) {
        requireService(context, 'gateway');
        const memory = await parts.workerDatabase.transaction((tx) => findMemoryBySubdomain(tx, request.subdomain));
        if (memory === null) throw notFound('The memory');
        return { memoryId: memory.memory_id, tenantId: memory.tenant_id };
      },
    }),
    rpc(TenancyOperatorService, {
      async createTenant(request, context) {
        requireService(context, 'operator');
        const { live, test } = await createTenant(parts, request);
        return { live: messageOf(live), test: messageOf(test) };
      },
    }),
  ];
}

function messageOf({ tenant, workspace, memory, requestsPerSecond, burst }: NewTenant) {
  return {
    tenantId: tenant.tenant_id,
    name: tenant.name,
    livemode: tenant.livemode,
    plan: tenant.plan,
    revision: BigInt(tenant.revision),
    requestsPerSecond,
    burst,
    defaultWorkspaceId: workspace.workspace_id,
    primaryMemoryId: memory.memory_id,
    primaryMemorySubdomain: memory.subdomain,
    twinOf: tenant.twin_of ?? '',
  };
}
