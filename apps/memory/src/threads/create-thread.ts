import { newId } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { idempotent } from '@cairn/postgres';
import { maskText } from '@cairn/screening';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { assertOpen } from '../memories/closed-scopes.ts';
import type { ThreadTextDeps } from './locate-thread.ts';
import { presentThread } from './present-thread.ts';
import { insertThread } from './thread-store.ts';

/** Begins a conversation in a space, or in the memory's root vault. */
export async function createThread(
  deps: ThreadTextDeps,
  context: RequestContext<typeof operations.createThread>,
): Promise<JsonResponse<typeof operations.createThread>> {
  const { identity, body } = context;
  const place = await deps.memories.resolve(context, body);
  const { tenantId } = identity;
  const { dlp_policy: policy } = await deps.settings.read(place, false);
  const title = await maskText(body.title, policy);
  const response = await deps.engines.write(place, ({ tx }) =>
    idempotent(
      tx,
      {
        caller: identity,
        operation: 'createThread',
        key: context.idempotencyKey,
        request: body,
        memoryId: place.memoryId,
      },
      async () => {
        await assertOpen(tx, place, place.vaultId);
        const row = await insertThread(tx, {
          tenant_id: tenantId,
          memory_id: place.memoryId,
          thread_id: newId('thread'),
          workspace_id: place.workspaceId,
          vault_id: place.vaultId,
          space_id: place.spaceId,
          title,
          user_name: body.user ?? null,
        });
        return { status: 201, body: presentThread(row) };
      },
    ),
  );
  return response as JsonResponse<typeof operations.createThread>;
}
