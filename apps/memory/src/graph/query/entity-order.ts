import { validationFailed } from '@cairn/errors';

/** Where an entity stands in a list: what it is ordered by, ascending, and its id. */
export interface EntityPlace {
  place: number;
  rank: number;
  tie: number;
  norm: string;
  entity_id: string;
}

/** The cursor after an entity: its place, opaque to callers. */
export function cursorOf({ place, rank, tie, norm, entity_id }: EntityPlace): string {
  return Buffer.from(JSON.stringify([place, rank, tie, norm, entity_id])).toString('base64url');
}

export function placeOf(cursor: string): EntityPlace {
  try {
    const [place, rank, tie, norm, entity_id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const numbers = [place, rank, tie].every((each) => Number.isFinite(each));
    if (numbers && typeof norm === 'string' && typeof entity_id === 'string' && !norm.includes('\0'))
      return { place, rank, tie, norm, entity_id } as EntityPlace;
  } catch {
    // Said below, like every other cursor that this list did not give.
  }
  throw validationFailed([{ path: 'cursor', message: 'is not a next_cursor of this list' }]);
}
