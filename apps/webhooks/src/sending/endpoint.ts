import type { Clock } from '../clock.ts';
import type { SlotsAt } from './claim-due.ts';

/** The state that a replica keeps of one webhook's first attempts: how many are in flight, and how many are allowed. */
export interface Endpoint {
  /** Where the webhook leads; null before the first attempt. What follows was learned there. */
  url: string | null;
  inFlight: number;
  /** First attempts at once; one more with every success, half with every failure. */
  window: number;
  /** The last attempt failed or took long, or there was none: its requests may occupy slots longer than others. */
  isSlow: boolean;
  /** Whether it accepts first attempts; null when no attempt has said it yet. */
  accepts: boolean | null;
  /** First attempts that failed since one was accepted. */
  failuresInARow: number;
  /** Nothing is claimed until then: it waits for its budgets. */
  pausedUntilMs: number;
  /** There may be more that is due now. */
  backlog: boolean;
  /** Cancels the timer for what is due later. */
  cancelWake: (() => void) | null;
  wakeAtMs: number;
  usedAtMs: number;
}

/** Of a new endpoint; also the least that one which fails keeps. */
const FIRST_WINDOW = 4;

function nothingLearned(): Pick<Endpoint, 'window' | 'isSlow' | 'accepts' | 'failuresInARow'> {
  return { window: FIRST_WINDOW, isSlow: true, accepts: null, failuresInARow: 0 };
}

export function newEndpoint(nowMs: number): Endpoint {
  return {
    url: null,
    inFlight: 0,
    ...nothingLearned(),
    pausedUntilMs: 0,
    backlog: false,
    cancelWake: null,
    wakeAtMs: Infinity,
    usedAtMs: nowMs,
  };
}

/** An attempt at the URL begins: at another one than before, nothing is known of it. */
export function changeUrl(endpoint: Endpoint, url: string): void {
  if (endpoint.url !== null && endpoint.url !== url) Object.assign(endpoint, nothingLearned());
  endpoint.url = url;
}

/** An attempt that takes longer counts as slow. */
export const SLOW_MS = 1_000;

/** First attempts that fail one after another until an endpoint counts as one that accepts nothing. */
const FAILURES_MAX = 5;

/**
 * Additive increase, multiplicative decrease. A retry that fails says nothing of other events: an endpoint may refuse
 * one of them for good.
 */
export function adapt(
  endpoint: Endpoint,
  attempt: { url: string; delivered: boolean; latencyMs: number; isFirst: boolean },
  concurrencyMax: number,
): void {
  if (attempt.url !== endpoint.url) return;
  endpoint.isSlow = !attempt.delivered || attempt.latencyMs > SLOW_MS;
  if (attempt.delivered) {
    endpoint.accepts = true;
    endpoint.failuresInARow = 0;
    endpoint.window = Math.min(concurrencyMax, endpoint.window + 1);
    return;
  }
  if (!attempt.isFirst) return;
  endpoint.failuresInARow += 1;
  if (endpoint.failuresInARow >= FAILURES_MAX) endpoint.accepts = false;
  endpoint.window = Math.max(Math.min(FIRST_WINDOW, concurrencyMax), Math.floor(endpoint.window / 2));
}

export function pause(endpoint: Endpoint, untilMs: number): void {
  endpoint.pausedUntilMs = Math.max(endpoint.pausedUntilMs, untilMs);
}

/** Slots that its window leaves free now. */
export function freeSlots(endpoint: Endpoint, nowMs: number): number {
  if (endpoint.pausedUntilMs > nowMs) return 0;
  return endpoint.window - endpoint.inFlight;
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
): { webhooks: Map<string, SlotsAt>; full: string[] } {
  const webhooks = new Map<string, SlotsAt>();
  const full: string[] = [];
  for (const webhookId of webhookIds) {
    if (free.capacity <= 0 || webhooks.size >= CLAIM_WEBHOOKS_MAX) break;
    const endpoint = endpointOf(webhookId);
    const slots = freeSlots(endpoint, nowMs);
    if (slots <= 0) full.push(webhookId);
    else if (!endpoint.isSlow || free.slowCapacity > 0) webhooks.set(webhookId, slotsAt(endpoint, slots));
  }
  return { webhooks, full };
}

function slotsAt({ url: knownUrl, isSlow, accepts }: Endpoint, slots: number): SlotsAt {
  return (url) =>
    knownUrl === null || knownUrl === url
      ? { slots, isSlow, accepts }
      : { slots: Math.min(slots, FIRST_WINDOW), isSlow: true, accepts: null };
}

const IDLE_TTL_MS = 10 * 60_000;

/** Nothing was due for it for so long that its state need not be kept. */
export function isExpired(endpoint: Endpoint, nowMs: number): boolean {
  const isIdle = endpoint.inFlight === 0 && !endpoint.backlog && endpoint.cancelWake === null;
  return isIdle && nowMs - endpoint.usedAtMs > IDLE_TTL_MS;
}
