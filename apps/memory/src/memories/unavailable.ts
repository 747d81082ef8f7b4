import { CairnError } from '@cairn/errors';
import { isConnectionFailure } from '@cairn/postgres';
import { wasRefusedAsMoving } from './moving-memories.ts';

/** True when a server could not be reached or the memory is on its way, as opposed to a statement that failed. */
export function isUnavailable(error: unknown): boolean {
  return (
    isConnectionFailure(error) ||
    wasRefusedAsMoving(error) ||
    (error instanceof CairnError && error.code === 'unavailable')
  );
}
