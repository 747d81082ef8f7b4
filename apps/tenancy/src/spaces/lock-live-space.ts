import { notFound } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { findSpace, lockSpace, type SpaceRow } from '../stores/space-store.ts';

/** The space with its row locked; `not_found` when it, or its memory, is deleted or was never there. */
export async function lockLiveSpace(tx: Tx, spaceId: string): Promise<SpaceRow> {
  const space = (await findSpace(tx, spaceId)) && (await lockSpace(tx, spaceId));
  if (space === null) throw notFound('The space');
  return space;
}
