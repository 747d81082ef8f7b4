import { CairnError, notFound } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import type { Tx } from '@cairn/postgres';
import { findSpace, type SpaceRow } from '../stores/space-store.ts';

/** The space, if the caller's key reaches it: 404 for one that does not exist, 403 for one of another memory or space. */
export async function findVisibleSpace(tx: Tx, identity: Identity, spaceId: string): Promise<SpaceRow> {
  const row = await findSpace(tx, spaceId);
  if (row === null) throw notFound('The space');
  if (identity.memoryId !== null && row.memory_id !== identity.memoryId)
    throw new CairnError('memory_not_permitted', 'The key reaches another memory.');
  if (identity.spaceId !== null && row.space_id !== identity.spaceId)
    throw new CairnError('memory_not_permitted', 'The key reaches another space.');
  return row;
}
