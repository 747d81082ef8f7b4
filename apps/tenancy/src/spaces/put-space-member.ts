import type * as operations from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { putMember } from '../stores/space-store.ts';
import { lockLiveSpace } from './lock-live-space.ts';
import { presentMember } from './present-space.ts';

/** Adds a member or changes the role; a repeat changes nothing. */
export async function putSpaceMember(
  deps: { database: Database },
  context: RequestContext<typeof operations.putSpaceMember>,
): Promise<JsonResponse<typeof operations.putSpaceMember>> {
  const { params, body, identity } = context;
  const row = await deps.database.withTenant(identity.tenantId, async (tx) =>
    putMember(tx, await lockLiveSpace(tx, params.space_id), { user: params.user, role: body.role }),
  );
  return { body: presentMember(row) };
}
