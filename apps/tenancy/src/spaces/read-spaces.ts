import { type getSpace, type listSpaceMembers, type listSpaces, userCursorOf, userOfCursor } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import { type Database, nextCursorOf, pageOf, type Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { presentMember, presentSpace } from './present-space.ts';
import { findSpace, listMemberRows, listSpaceRows, type SpaceRow } from './space-store.ts';

interface ReadParts {
  database: Database;
  baseUrl: string;
}

/** The spaces of the tenant or of one memory; a key that is bound sees what it is bound to. */
export async function listTenantSpaces(
  parts: ReadParts,
  call: Call<typeof listSpaces>,
): Promise<JsonAnswer<typeof listSpaces>> {
  const { identity, query } = call;
  if (query.memory_id !== undefined && identity.memoryId !== null && query.memory_id !== identity.memoryId)
    throw new CairnError('memory_not_permitted', 'The key reaches another memory.');
  const page = pageOf(query);
  const view = { memoryId: identity.memoryId ?? query.memory_id ?? null, spaceId: identity.spaceId };
  const rows = await parts.database.withTenant(identity.tenantId, (tx) => listSpaceRows(tx, { ...view, ...page }));
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.space_id);
  return {
    body: {
      spaces: shown.map((row) => presentSpace(row, parts.baseUrl)),
      ...(next_cursor === undefined ? {} : { next_cursor }),
    },
  };
}

export async function readSpace(parts: ReadParts, call: Call<typeof getSpace>): Promise<JsonAnswer<typeof getSpace>> {
  const row = await parts.database.withTenant(call.identity.tenantId, (tx) =>
    visibleSpace(tx, call.identity, call.params.space_id),
  );
  return { body: presentSpace(row, parts.baseUrl) };
}

export async function listMembers(
  parts: ReadParts,
  call: Call<typeof listSpaceMembers>,
): Promise<JsonAnswer<typeof listSpaceMembers>> {
  const { limit, cursor } = call.query;
  const page = pageOf({ limit, cursor: cursor === undefined ? undefined : userOfCursor(cursor) });
  const rows = await parts.database.withTenant(
    call.identity.tenantId,
    async (tx) => listMemberRows(tx, (await visibleSpace(tx, call.identity, call.params.space_id)).space_id, page),
    { mode: 'snapshot' },
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => userCursorOf(row.user_name));
  return { body: { members: shown.map(presentMember), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}

/** The space, if the caller's key reaches it: 404 for one that is not there, 403 for one of another memory or space. */
async function visibleSpace(tx: Tx, identity: Identity, spaceId: string): Promise<SpaceRow> {
  const row = await findSpace(tx, spaceId);
  if (row === null) throw notFound('The space');
  if (identity.memoryId !== null && row.memory_id !== identity.memoryId)
    throw new CairnError('memory_not_permitted', 'The key reaches another memory.');
  if (identity.spaceId !== null && row.space_id !== identity.spaceId)
    throw new CairnError('memory_not_permitted', 'The key reaches another space.');
  return row;
}
