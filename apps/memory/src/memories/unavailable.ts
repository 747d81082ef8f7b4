import { CairnError } from '@cairn/errors';
import { isConnectionFailure, sqlState } from '@cairn/postgres';

/** Raised by the database for a write to a memory that is being handed over to another engine. */
const MEMORY_MOVING = 'CM001';

/** True when a server could not be reached or the memory is on its way, as opposed to a statement that failed. */
export function isUnavailable(error: unknown): boolean {
  return isConnectionFailure(error) || sqlState(error) === MEMORY_MOVING || (error instanceof CairnError && error.code === 'unavailable');
}
