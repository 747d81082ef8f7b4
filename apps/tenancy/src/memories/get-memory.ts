import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { findMemory } from '../stores/memory-store.ts';
import { presentMemory } from './present-memory.ts';

export async function getMemory(
  deps: { database: Database },
  context: RequestContext<typeof operations.getMemory>,
): Promise<JsonResponse<typeof operations.getMemory>> {
  const row = await deps.database.withTenant(context.identity.tenantId, (tx) =>
    findMemory(tx, context.params.memory_id),
  );
  if (row === null) throw notFound('The memory');
  return { body: presentMemory(row) };
}
