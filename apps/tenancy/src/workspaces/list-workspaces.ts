import type * as operations from '@cairn/contracts';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { listWorkspaceRows } from '../stores/workspace-store.ts';
import { presentWorkspace } from './present-workspace.ts';

export async function listWorkspaces(
  deps: { database: Database },
  context: RequestContext<typeof operations.listWorkspaces>,
): Promise<JsonResponse<typeof operations.listWorkspaces>> {
  const page = pageOf(context.query);
  const rows = await deps.database.withTenant(context.identity.tenantId, (tx) => listWorkspaceRows(tx, page));
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.workspace_id);
  return { body: { workspaces: shown.map(presentWorkspace), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}
