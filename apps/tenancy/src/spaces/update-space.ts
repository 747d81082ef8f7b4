import { findMemory } from '../memories/memory-store.ts';
import type { updateSpace } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { maskText, policyOf } from '@cairn/screening';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { presentSpace } from './present-space.ts';
import { changeSpace, findSpace, lockSpace } from './space-store.ts';

/** Changes what is named and leaves the rest. */
export async function updateTenantSpace(
  parts: { database: Database; baseUrl: string },
  call: Call<typeof updateSpace>,
): Promise<JsonAnswer<typeof updateSpace>> {
  const { body, params, identity } = call;
  const row = await parts.database.withTenant(identity.tenantId, async (tx) => {
    const before = (await findSpace(tx, params.space_id)) && (await lockSpace(tx, params.space_id));
    if (before === null) throw notFound('The space');
    if (Object.values(body).every((value) => value === undefined)) return before;
    const policy = policyOf((await findMemory(tx, before.memory_id))?.dlp_policy ?? '');
    return changeSpace(tx, before.space_id, {
      name: body.name === undefined ? before.name : await maskText(body.name, policy),
      description: body.description === undefined ? before.description : await maskText(body.description, policy),
      slug: body.slug ?? before.slug,
    });
  });
  return { body: presentSpace(row, parts.baseUrl) };
}
