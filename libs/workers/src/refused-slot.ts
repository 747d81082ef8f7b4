import { CairnError } from '@cairn/errors';

const RETRY_AFTER_SECONDS = 5;

/** Why a seat is refused: too many of the tenant's own tasks wait, or too many of all. */
export type SlotRefusal = 'tenant' | 'all';

/** Only who waits with much of its own may be said to be the cause. */
export function refusedSlot(refusal: SlotRefusal): CairnError {
  const extras = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return refusal === 'tenant'
    ? new CairnError('rate_limited', 'Too many expensive requests of this tenant wait. Send fewer at a time.', extras)
    : new CairnError('unavailable', 'The service is busy. Try again in a few seconds.', extras);
}
