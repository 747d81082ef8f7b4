import type * as operations from '@cairn/contracts';
import { encodeEvent, newId } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { appendToOutbox, type Database, idempotent, type Tx } from '@cairn/postgres';
import { maskText, policyOf } from '@cairn/screening';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { memoryEventScope } from '../memories/memory-event-scope.ts';
import { lockTenantWithinLimit } from '../plans/plan-limit.ts';
import type { PlanCatalog } from '../plans/plans.ts';
import { freeSlug, slugOf } from '../slug.ts';
import type { MemoryRow } from '../stores/memory-store.ts';
import { insertSpace, type SpaceRow, spaceSlugsLike } from '../stores/space-store.ts';
import type { TenantRow } from '../stores/tenant-store.ts';
import { presentSpace } from './present-space.ts';

/** Creates a space with its vault in the named memory, or in the default workspace's primary one. */
export async function createSpace(
  deps: { database: Database; plans: PlanCatalog; baseUrl: string },
  context: RequestContext<typeof operations.createSpace>,
): Promise<JsonResponse<typeof operations.createSpace>> {
  const { identity, body } = context;
  const response = await deps.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      { caller: identity, operation: 'createSpace', key: context.idempotencyKey, request: body },
      async () => {
        const tenant = await lockTenantWithinLimit(tx, 'spaces', deps.plans);
        const memory = await resolveMemory(tx, body.memory_id);
        const row = await insertNewSpace(tx, tenant, memory, body);
        return { status: 201, body: presentSpace(row, deps.baseUrl) };
      },
    ),
  );
  return response as JsonResponse<typeof operations.createSpace>;
}

async function insertNewSpace(
  tx: Tx,
  tenant: TenantRow,
  memory: MemoryRow,
  body: RequestContext<typeof operations.createSpace>['body'],
): Promise<SpaceRow> {
  const policy = policyOf(memory.dlp_policy);
  const name = await maskText(body.name, policy);
  const derived = slugOf(name, 'space');
  const row = await insertSpace(tx, {
    tenant_id: tenant.tenant_id,
    space_id: newId('space'),
    memory_id: memory.memory_id,
    vault_id: newId('vault'),
    name,
    slug: body.slug ?? freeSlug(derived, await spaceSlugsLike(tx, memory.memory_id, derived)),
    description: await maskText(body.description, policy),
  });
  await appendToOutbox(
    tx,
    encodeEvent('spaceCreated', memoryEventScope(memory, tenant.livemode), {
      spaceId: row.space_id,
      vaultId: row.vault_id,
    }),
  );
  return row;
}

/** The memory, locked so that it is not deleted meanwhile. */
async function resolveMemory(tx: Tx, memoryId: string | undefined): Promise<MemoryRow> {
  const rows = await tx.query<MemoryRow>(
    `SELECT * FROM memories
      WHERE memory_id = coalesce($1, (SELECT primary_memory_id FROM workspaces WHERE is_default AND deleted_at IS NULL))
        FOR SHARE`,
    [memoryId ?? null],
  );
  const memory = rows[0];
  if (memory === undefined || memory.status === 'deleting') throw notFound('The memory');
  if (memory.status === 'failed') throw new CairnError('conflict', 'The memory is failed.');
  return memory;
}
