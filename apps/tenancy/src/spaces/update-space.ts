import type * as operations from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import { maskText, policyOf } from '@cairn/screening';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { findMemory } from '../stores/memory-store.ts';
import { changeSpace } from '../stores/space-store.ts';
import { lockLiveSpace } from './lock-live-space.ts';
import { presentSpace } from './present-space.ts';

/** Changes the given fields and leaves the rest. */
export async function updateSpace(
  deps: { database: Database; baseUrl: string },
  context: RequestContext<typeof operations.updateSpace>,
): Promise<JsonResponse<typeof operations.updateSpace>> {
  const { body, params, identity } = context;
  const row = await deps.database.withTenant(identity.tenantId, async (tx) => {
    const before = await lockLiveSpace(tx, params.space_id);
    if (Object.values(body).every((value) => value === undefined)) return before;
    const policy = policyOf((await findMemory(tx, before.memory_id))?.dlp_policy ?? '');
    return changeSpace(tx, before.space_id, {
      name: body.name === undefined ? before.name : await maskText(body.name, policy),
      description: body.description === undefined ? before.description : await maskText(body.description, policy),
      slug: body.slug ?? before.slug,
    });
  });
  return { body: presentSpace(row, deps.baseUrl) };
}
