import type { AttemptOutcome } from '@cairn/contracts';

/** Pauses before the retries; when the last one has failed the delivery is a dead letter. */
export const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 30_000] as const;

/** An attempt that failed through our own fault costs no retry. */
const OWN_FAULT_DELAY_MS = 30_000;

/** What comes after an attempt. */
export type Next =
  | { state: 'delivered' }
  | { state: 'retry'; delayMs: number }
  | { state: 'dead_lettered' }
  | { state: 'test_failed' };

/**
 * The fixed schedule: nothing the receiver sends (`Retry-After`, 410) changes it. What the address policy
 * refuses is refused on every retry, so it is a dead letter at once.
 */
export function nextAfter(
  result: { outcome: AttemptOutcome; retryable: boolean },
  delivery: { retry: number; isTest: boolean },
): Next {
  if (result.outcome === 'delivered') return { state: 'delivered' };
  if (delivery.isTest) return { state: 'test_failed' };
  if (result.outcome === 'interrupted') return { state: 'retry', delayMs: OWN_FAULT_DELAY_MS };
  const delayMs = RETRY_DELAYS_MS[delivery.retry];
  return result.retryable && delayMs !== undefined ? { state: 'retry', delayMs } : { state: 'dead_lettered' };
}
