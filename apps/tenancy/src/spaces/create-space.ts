import { type createSpace, encodeEvent, newId } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { appendToOutbox, type Database, idempotent, type Tx } from '@cairn/postgres';
import { maskText, policyOf } from '@cairn/screening';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { type MemoryRow } from '../memories/memory-store.ts';
import { freeSlug, slugOf } from '../slug.ts';
import { lockTenantWithRoomFor } from '../tenants/plan-limit.ts';
import type { PlanBook } from '../tenants/plans.ts';
import { presentSpace } from './present-space.ts';
import { insertSpace, spaceSlugsLike } from './space-store.ts';

/** Creates a space with its vault in the named memory, or in the default workspace's primary one. */
export async function createTenantSpace(
  parts: { database: Database; plans: PlanBook; baseUrl: string },
  call: Call<typeof createSpace>,
): Promise<JsonAnswer<typeof createSpace>> {
  const { identity, body } = call;
  const answer = await parts.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      { caller: identity, operation: 'createSpace', key: call.idempotencyKey, request: body },
      async () => {
        const tenant = await lockTenantWithRoomFor(tx, 'spaces', parts.plans);
        const memory = await homeOf(tx, body.memory_id);
        const policy = policyOf(memory.dlp_policy);
        const name = await maskText(body.name, policy);
        const wished = body.slug ?? slugOf(name, 'space');
        const row = await insertSpace(tx, {
          tenant_id: tenant.tenant_id,
          space_id: newId('space'),
          memory_id: memory.memory_id,
          vault_id: newId('vault'),
          name,
          slug: body.slug ?? freeSlug(wished, await spaceSlugsLike(tx, memory.memory_id, wished)),
          description: await maskText(body.description, policy),
        });
        const scope = {
          tenantId: tenant.tenant_id,
          livemode: tenant.livemode,
          workspaceId: memory.workspace_id,
          memoryId: memory.memory_id,
        };
        await appendToOutbox(tx, encodeEvent('spaceCreated', scope, { spaceId: row.space_id, vaultId: row.vault_id }));
        return { status: 201, body: presentSpace(row, parts.baseUrl) };
      },
    ),
  );
  return answer as JsonAnswer<typeof createSpace>;
}

/** The memory, held so that it is not deleted meanwhile. */
async function homeOf(tx: Tx, memoryId: string | undefined): Promise<MemoryRow> {
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
