import type { getWorkspace, listWorkspaces } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { presentWorkspace } from '../present.ts';
import { findWorkspace, listWorkspaceRows } from './workspace-store.ts';

export async function listTenantWorkspaces(
  parts: { database: Database },
  call: Call<typeof listWorkspaces>,
): Promise<JsonAnswer<typeof listWorkspaces>> {
  const page = pageOf(call.query);
  const rows = await parts.database.withTenant(call.identity.tenantId, (tx) => listWorkspaceRows(tx, page));
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.workspace_id);
  return { body: { workspaces: shown.map(presentWorkspace), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}

export async function readWorkspace(
  parts: { database: Database },
  call: Call<typeof getWorkspace>,
): Promise<JsonAnswer<typeof getWorkspace>> {
  const row = await parts.database.withTenant(call.identity.tenantId, (tx) =>
    findWorkspace(tx, call.params.workspace_id),
  );
  if (row === null) throw notFound('The workspace');
  return { body: { workspace: presentWorkspace(row) } };
}
