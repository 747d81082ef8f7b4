import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { findWorkspace } from '../stores/workspace-store.ts';
import { presentWorkspace } from './present-workspace.ts';

export async function getWorkspace(
  deps: { database: Database },
  context: RequestContext<typeof operations.getWorkspace>,
): Promise<JsonResponse<typeof operations.getWorkspace>> {
  const row = await deps.database.withTenant(context.identity.tenantId, (tx) =>
    findWorkspace(tx, context.params.workspace_id),
  );
  if (row === null) throw notFound('The workspace');
  return { body: { workspace: presentWorkspace(row) } };
}
