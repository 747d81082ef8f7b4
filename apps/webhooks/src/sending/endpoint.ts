import type { Clock } from '../clock.ts';

/** What a replica knows of one webhook: how much is on its way, and how much of it may be. */
export interface Endpoint {
  inFlight: number;
  /** Requests at once; one more with every success, half with every failure. */
  window: number;
  /** The last attempt failed or took long: it holds its places longer than others do. */
  holdsUp: boolean;
  failuresInARow: number;
  /** Until then it is not asked: it fails, or waits for its budgets. */
  restsUntilMs: number;
  /** There may be more that is due now. */
  backlog: boolean;
  /** Calls off the waiting for what is due later. */
  calledOff: (() => void) | null;
  wakesAtMs: number;
  usedAtMs: number;
}

const FIRST_WINDOW = 4;

export function newEndpoint(nowMs: number): Endpoint {
  return {
    inFlight: 0,
    window: FIRST_WINDOW,
    holdsUp: false,
    failuresInARow: 0,
    restsUntilMs: 0,
    backlog: false,
    calledOff: null,
    wakesAtMs: Infinity,
    usedAtMs: nowMs,
  };
}

/** Longer than that is not in time. */
export const SLOW_MS = 1_000;

/** Additive increase, multiplicative decrease: an endpoint that does not answer soon holds one place, not many. */
export function adapt(
  endpoint: Endpoint,
  attempt: { delivered: boolean; latencyMs: number },
  concurrencyMax: number,
): void {
  endpoint.holdsUp = !attempt.delivered || attempt.latencyMs > SLOW_MS;
  endpoint.failuresInARow = attempt.delivered ? 0 : endpoint.failuresInARow + 1;
  endpoint.window = attempt.delivered
    ? Math.min(concurrencyMax, endpoint.window + 1)
    : Math.max(1, Math.floor(endpoint.window / 2));
}

const FAILURES_UNTIL_SLOWED = 5;

/**
 * An endpoint that keeps failing is asked once in a while. Not longer than the first pause of the schedule, which one
 * delivery alone therefore keeps to.
 */
export function restIfFailing(endpoint: Endpoint, nowMs: number, intervalMs: number): void {
  if (endpoint.failuresInARow >= FAILURES_UNTIL_SLOWED) rest(endpoint, nowMs + intervalMs);
}

export function rest(endpoint: Endpoint, untilMs: number): void {
  endpoint.restsUntilMs = Math.max(endpoint.restsUntilMs, untilMs);
}

/** Places in its window now. */
export function roomOf(endpoint: Endpoint, nowMs: number): number {
  if (endpoint.restsUntilMs > nowMs) return 0;
  const window = endpoint.failuresInARow >= FAILURES_UNTIL_SLOWED ? 1 : endpoint.window;
  return window - endpoint.inFlight;
}

/** Calls when something is due for the endpoint, unless it will be called earlier anyway. */
export function wakeLater(endpoint: Endpoint, clock: Clock, dueAtMs: number, call: () => void): void {
  if (endpoint.calledOff !== null && endpoint.wakesAtMs <= dueAtMs) return;
  endpoint.calledOff?.();
  endpoint.wakesAtMs = dueAtMs;
  endpoint.calledOff = clock.after(dueAtMs - clock.now().getTime(), () => {
    endpoint.calledOff = null;
    endpoint.wakesAtMs = Infinity;
    call();
  });
}

/** Webhooks that one claim asks for. */
const CLAIM_WEBHOOKS_MAX = 200;

/** Who is asked now, in the order given, and who has no room after all; those that hold up have places of their own. */
export function chooseAsked(
  webhookIds: Iterable<string>,
  endpointOf: (webhookId: string) => Endpoint,
  nowMs: number,
  free: { places: number; slowPlaces: number },
): { webhooks: Map<string, { room: number; isSlow: boolean }>; full: string[] } {
  const webhooks = new Map<string, { room: number; isSlow: boolean }>();
  const full: string[] = [];
  for (const webhookId of webhookIds) {
    if (free.places <= 0 || webhooks.size >= CLAIM_WEBHOOKS_MAX) break;
    const endpoint = endpointOf(webhookId);
    const room = roomOf(endpoint, nowMs);
    if (room <= 0) full.push(webhookId);
    else if (!endpoint.holdsUp || free.slowPlaces > 0) webhooks.set(webhookId, { room, isSlow: endpoint.holdsUp });
  }
  return { webhooks, full };
}

const FORGET_AFTER_MS = 10 * 60_000;

/** Nothing was to be done for it for so long that what is known of it need not be kept. */
export function isForgettable(endpoint: Endpoint, nowMs: number): boolean {
  const isIdle = endpoint.inFlight === 0 && !endpoint.backlog && endpoint.calledOff === null;
  return isIdle && nowMs - endpoint.usedAtMs > FORGET_AFTER_MS;
}
