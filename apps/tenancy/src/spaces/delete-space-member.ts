import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { deleteMember } from '../stores/space-store.ts';
import { lockLiveSpace } from './lock-live-space.ts';

export async function deleteSpaceMember(
  deps: { database: Database },
  context: RequestContext<typeof operations.deleteSpaceMember>,
): Promise<JsonResponse<typeof operations.deleteSpaceMember>> {
  const { params, identity } = context;
  await deps.database.withTenant(identity.tenantId, async (tx) => {
    const deleted = await deleteMember(tx, await lockLiveSpace(tx, params.space_id), params.user);
    if (!deleted) throw notFound('The member');
  });
  return { body: { space_id: params.space_id, user: params.user, deleted: true } };
}
