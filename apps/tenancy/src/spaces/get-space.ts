import type * as operations from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { presentSpace } from './present-space.ts';
import { findVisibleSpace } from './visible-space.ts';

export async function getSpace(
  deps: { database: Database; baseUrl: string },
  context: RequestContext<typeof operations.getSpace>,
): Promise<JsonResponse<typeof operations.getSpace>> {
  const row = await deps.database.withTenant(context.identity.tenantId, (tx) =>
    findVisibleSpace(tx, context.identity, context.params.space_id),
  );
  return { body: presentSpace(row, deps.baseUrl) };
}
