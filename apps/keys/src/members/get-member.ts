import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { findMember } from '../credentials/member-store.ts';
import { presentMember } from './present-member.ts';

export async function getMember(
  deps: { database: Database },
  { identity, params }: RequestContext<typeof operations.getMember>,
): Promise<JsonResponse<typeof operations.getMember>> {
  const found = await deps.database.withTenant(identity.tenantId, (tx) => findMember(tx, params.member_id));
  if (found === null) throw notFound('The member');
  return { body: presentMember(found) };
}
