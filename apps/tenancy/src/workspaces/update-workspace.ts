import type { updateWorkspace } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { maskText, WORKSPACE_POLICY } from '@cairn/screening';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { presentWorkspace } from '../present.ts';
import { changeWorkspace, lockWorkspace } from './workspace-store.ts';

/** Changes what is named and leaves the rest; a slug that another workspace has is a conflict. */
export async function updateTenantWorkspace(
  parts: { database: Database },
  call: Call<typeof updateWorkspace>,
): Promise<JsonAnswer<typeof updateWorkspace>> {
  const { body, params, identity } = call;
  const row = await parts.database.withTenant(identity.tenantId, async (tx) => {
    const before = await lockWorkspace(tx, params.workspace_id);
    if (before === null) throw notFound('The workspace');
    if (Object.values(body).every((value) => value === undefined)) return before;
    return changeWorkspace(tx, before.workspace_id, {
      name: body.name === undefined ? before.name : await maskText(body.name, WORKSPACE_POLICY),
      description:
        body.description === undefined ? before.description : await maskText(body.description, WORKSPACE_POLICY),
      slug: body.slug ?? before.slug,
    });
  });
  return { body: { workspace: presentWorkspace(row) } };
}
