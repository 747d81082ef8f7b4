import type * as operations from '@cairn/contracts';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { listMemoryRows } from '../stores/memory-store.ts';
import { presentMemory } from './present-memory.ts';

/** Every memory of the tenant, across workspaces unless one is named. */
export async function listMemories(
  deps: { database: Database },
  context: RequestContext<typeof operations.listMemories>,
): Promise<JsonResponse<typeof operations.listMemories>> {
  const page = pageOf(context.query);
  const workspaceId = context.query.workspace_id ?? null;
  const rows = await deps.database.withTenant(context.identity.tenantId, (tx) =>
    listMemoryRows(tx, { workspaceId, ...page }),
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.memory_id);
  return { body: { memories: shown.map(presentMemory), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}
