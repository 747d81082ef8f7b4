import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { maskText, WORKSPACE_POLICY } from '@cairn/screening';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { changeWorkspace, lockWorkspace } from '../stores/workspace-store.ts';
import { presentWorkspace } from './present-workspace.ts';

/** Changes the given fields and leaves the rest; a slug that another workspace has is a conflict. */
export async function updateWorkspace(
  deps: { database: Database },
  context: RequestContext<typeof operations.updateWorkspace>,
): Promise<JsonResponse<typeof operations.updateWorkspace>> {
  const { body, params, identity } = context;
  const row = await deps.database.withTenant(identity.tenantId, async (tx) => {
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
