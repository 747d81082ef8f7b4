import type { getMemory, listMemories } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { presentMemory } from '../present.ts';
import { findMemory, listMemoryRows } from './memory-store.ts';

/** Every memory of the tenant, across workspaces unless one is named. */
export async function listTenantMemories(
  parts: { database: Database },
  call: Call<typeof listMemories>,
): Promise<JsonAnswer<typeof listMemories>> {
  const page = pageOf(call.query);
  const workspaceId = call.query.workspace_id ?? null;
  const rows = await parts.database.withTenant(call.identity.tenantId, (tx) =>
    listMemoryRows(tx, { workspaceId, ...page }),
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.memory_id);
  return { body: { memories: shown.map(presentMemory), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}

export async function readMemory(
  parts: { database: Database },
  call: Call<typeof getMemory>,
): Promise<JsonAnswer<typeof getMemory>> {
  const row = await parts.database.withTenant(call.identity.tenantId, (tx) => findMemory(tx, call.params.memory_id));
  if (row === null) throw notFound('The memory');
  return { body: presentMemory(row) };
}
