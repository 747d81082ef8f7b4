import type { AttemptResult } from './attempt.ts';
import type { ClaimedDelivery } from './delivery-queue.ts';
import type { Next } from './schedule.ts';

/** An attempt that has ended, and what comes after it. */
export interface EndedAttempt {
  claimed: ClaimedDelivery;
  result: AttemptResult;
  next: Next;
  at: Date;
}
