import { CairnError } from '@cairn/errors';

/** Whatever fails between the gateway and a service that it calls is, to the caller, a service that is down. */
export function unavailable(error: unknown): CairnError {
  if (error instanceof CairnError && error.code === 'unavailable') return error;
  const internal = error instanceof CairnError ? `${error.code}: ${error.internal ?? error.message}` : String(error);
  return new CairnError('unavailable', 'A part of the service cannot be reached right now.', {
    cause: error,
    internal,
  });
}
