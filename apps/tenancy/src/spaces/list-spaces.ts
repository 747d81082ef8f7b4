import type * as operations from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { listSpaceRows } from '../stores/space-store.ts';
import { presentSpace } from './present-space.ts';

/** The spaces of the tenant or of one memory; a bound key sees what it is bound to. */
export async function listSpaces(
  deps: { database: Database; baseUrl: string },
  context: RequestContext<typeof operations.listSpaces>,
): Promise<JsonResponse<typeof operations.listSpaces>> {
  const { identity, query } = context;
  if (query.memory_id !== undefined && identity.memoryId !== null && query.memory_id !== identity.memoryId)
    throw new CairnError('memory_not_permitted', 'The key reaches another memory.');
  const page = pageOf(query);
  const view = { memoryId: identity.memoryId ?? query.memory_id ?? null, spaceId: identity.spaceId };
  const rows = await deps.database.withTenant(identity.tenantId, (tx) => listSpaceRows(tx, { ...view, ...page }));
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.space_id);
  return {
    body: {
      spaces: shown.map((row) => presentSpace(row, deps.baseUrl)),
      ...(next_cursor === undefined ? {} : { next_cursor }),
    },
  };
}
