import { CairnError } from '@cairn/errors';
import { isConnectionFailure } from '@cairn/postgres';

/** True when a server could not be reached, as opposed to a statement that failed. */
export function isUnavailable(error: unknown): boolean {
  return isConnectionFailure(error) || (error instanceof CairnError && error.code === 'unavailable');
}
