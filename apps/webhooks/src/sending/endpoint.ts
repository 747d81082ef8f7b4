import type { Clock } from '../clock.ts';

/** The state that a replica keeps of one webhook: requests in flight, and how many are allowed. */
export interface Endpoint {
  inFlight: number;
  /** Requests at once; one more with every success, half with every failure. */
  window: number;
  /** The last attempt failed or took long: its requests occupy slots longer than others. */
  isSlow: boolean;
  failuresInARow: number;
  /** Nothing is sent until then: it keeps failing, or waits for its budgets. */
  pausedUntilMs: number;
  /** There may be more that is due now. */
  backlog: boolean;
  /** Cancels the timer for what is due later. */
  cancelWake: (() => void) | null;
  wakeAtMs: number;
  usedAtMs: number;
}

const FIRST_WINDOW = 4;

export function newEndpoint(nowMs: number): Endpoint {
  return {
    inFlight: 0,
    window: FIRST_WINDOW,
    isSlow: false,
    failuresInARow: 0,
    pausedUntilMs: 0,
    backlog: false,
    cancelWake: null,
    wakeAtMs: Infinity,
    usedAtMs: nowMs,
  };
}

/** An attempt that takes longer counts as slow. */
export const SLOW_MS = 1_000;

/** Additive increase, multiplicative decrease: an endpoint that does not respond soon occupies one slot, not many. */
export function adapt(
  endpoint: Endpoint,
  attempt: { delivered: boolean; latencyMs: number },
  concurrencyMax: number,
): void {
  endpoint.isSlow = !attempt.delivered || attempt.latencyMs > SLOW_MS;
  endpoint.failuresInARow = attempt.delivered ? 0 : endpoint.failuresInARow + 1;
  endpoint.window = attempt.delivered
    ? Math.min(concurrencyMax, endpoint.window + 1)
    : Math.max(1, Math.floor(endpoint.window / 2));
}

const FAILURES_UNTIL_SLOWED = 5;

/**
 * Spaces the attempts at an endpoint that keeps failing, by no more than the first pause of the retry schedule, so that
 * a single delivery keeps to its schedule.
 */
export function pauseIfFailing(endpoint: Endpoint, nowMs: number, intervalMs: number): void {
  if (endpoint.failuresInARow >= FAILURES_UNTIL_SLOWED) pause(endpoint, nowMs + intervalMs);
}

export function pause(endpoint: Endpoint, untilMs: number): void {
  endpoint.pausedUntilMs = Math.max(endpoint.pausedUntilMs, untilMs);
}

/** Slots that its window leaves free now. */
export function freeSlots(endpoint: Endpoint, nowMs: number): number {
  if (endpoint.pausedUntilMs > nowMs) return 0;
  const window = endpoint.failuresInARow >= FAILURES_UNTIL_SLOWED ? 1 : endpoint.window;
  return window - endpoint.inFlight;
}

/** Sets the timer for what is due for the endpoint, unless it is set to an earlier time. */
export function scheduleWake(endpoint: Endpoint, clock: Clock, dueAtMs: number, onWake: () => void): void {
  if (endpoint.cancelWake !== null && endpoint.wakeAtMs <= dueAtMs) return;
  endpoint.cancelWake?.();
  endpoint.wakeAtMs = dueAtMs;
  endpoint.cancelWake = clock.after(dueAtMs - clock.now().getTime(), () => {
    endpoint.cancelWake = null;
    endpoint.wakeAtMs = Infinity;
    onWake();
  });
}

/** Webhooks of one claim request. */
const CLAIM_WEBHOOKS_MAX = 200;

/** Webhooks to claim for now, in the given order, and those whose window is full; slow ones have a capacity of their own. */
export function selectWebhooks(
  webhookIds: Iterable<string>,
  endpointOf: (webhookId: string) => Endpoint,
  nowMs: number,
  free: { capacity: number; slowCapacity: number },
): { webhooks: Map<string, { slots: number; isSlow: boolean }>; full: string[] } {
  const webhooks = new Map<string, { slots: number; isSlow: boolean }>();
  const full: string[] = [];
  for (const webhookId of webhookIds) {
    if (free.capacity <= 0 || webhooks.size >= CLAIM_WEBHOOKS_MAX) break;
    const endpoint = endpointOf(webhookId);
    const slots = freeSlots(endpoint, nowMs);
    if (slots <= 0) full.push(webhookId);
    else if (!endpoint.isSlow || free.slowCapacity > 0) webhooks.set(webhookId, { slots, isSlow: endpoint.isSlow });
  }
  return { webhooks, full };
}

const IDLE_TTL_MS = 10 * 60_000;

/** Nothing was due for it for so long that its state need not be kept. */
export function isExpired(endpoint: Endpoint, nowMs: number): boolean {
  const isIdle = endpoint.inFlight === 0 && !endpoint.backlog && endpoint.cancelWake === null;
  return isIdle && nowMs - endpoint.usedAtMs > IDLE_TTL_MS;
}
