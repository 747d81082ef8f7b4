import { type createThread, newId } from '@cairn/contracts';
import { idempotent } from '@cairn/postgres';
import { maskText } from '@cairn/screening';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { assertOpen } from '../erasure/closed-scopes.ts';
import type { ThreadParts } from './find-home.ts';
import { presentThread } from './present-thread.ts';
import { insertThread } from './thread-store.ts';

/** Begins a conversation in a space, or in the memory's root vault. */
export async function beginThread(
  parts: ThreadParts,
  call: Call<typeof createThread>,
): Promise<JsonAnswer<typeof createThread>> {
  const { identity, body } = call;
  const place = await parts.lookup.find(call, body);
  const { tenantId } = identity;
  const title = await maskText(body.title, place.dlpPolicy);
  const answer = await parts.engines.write(place, ({ tx }) =>
    idempotent(
      tx,
      {
        caller: identity,
        operation: 'createThread',
        key: call.idempotencyKey,
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
  return answer as JsonAnswer<typeof createThread>;
}
