import type { deleteSpaceMember, putSpaceMember } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { presentMember } from './present-space.ts';
import { findSpace, lockSpace, putMember, removeMember, type SpaceRow } from './space-store.ts';

/** Adds a member or changes the role; a repeat changes nothing. */
export async function addMember(
  parts: { database: Database },
  call: Call<typeof putSpaceMember>,
): Promise<JsonAnswer<typeof putSpaceMember>> {
  const { params, body, identity } = call;
  const row = await parts.database.withTenant(identity.tenantId, async (tx) =>
    putMember(tx, await heldSpace(tx, params.space_id), { user: params.user, role: body.role }),
  );
  return { body: presentMember(row) };
}

export async function takeMemberOut(
  parts: { database: Database },
  call: Call<typeof deleteSpaceMember>,
): Promise<JsonAnswer<typeof deleteSpaceMember>> {
  const { params, identity } = call;
  await parts.database.withTenant(identity.tenantId, async (tx) => {
    const removed = await removeMember(tx, await heldSpace(tx, params.space_id), params.user);
    if (!removed) throw notFound('The member');
  });
  return { body: { space_id: params.space_id, user: params.user, deleted: true } };
}

/** The space with its row held, so that members are counted exactly. */
async function heldSpace(tx: Tx, spaceId: string): Promise<SpaceRow> {
  const space = (await findSpace(tx, spaceId)) && (await lockSpace(tx, spaceId));
  if (space === null) throw notFound('The space');
  return space;
}
