import { CairnError } from '@cairn/errors';
import type { RequestCheck } from '@cairn/identity';

type Denial = Extract<RequestCheck, { ok: false }>['denial'];

/**
 * The error for whoever is not believed. An identity that was good and came too late is not the caller's fault, whose
 * key may be good: 401 would make clients discard it.
 */
export function identityDenied(denial: Denial): CairnError {
  if (denial === 'invalid') return new CairnError('identity_invalid', 'The request carries no valid identity.');
  return new CairnError('unavailable', 'The service is too busy to answer in time. Try again.', {
    retryAfterSeconds: 1,
    internal: `identity denied: ${denial}`,
  });
}
