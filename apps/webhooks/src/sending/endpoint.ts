import type { Clock } from '../clock.ts';

/** What a replica knows of one webhook: how much is on its way, and how much of it may be. */
export interface Endpoint {
  inFlight: number;
  /** Requests at once; one more with every success, half with every failure. */
  window: number;
  /** The last attempt failed or took long: it holds its places longer than others do. */
  holdsUp: boolean;
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
    ...{ inFlight: 0, window: FIRST_WINDOW, holdsUp: false, backlog: false },
    ...{ calledOff: null, wakesAtMs: Infinity, usedAtMs: nowMs },
  };
}

const SLOW_MS = 1_000;

/** Additive increase, multiplicative decrease: an endpoint that does not answer soon holds one place, not many. */
export function adapt(
  endpoint: Endpoint,
  attempt: { delivered: boolean; latencyMs: number },
  concurrencyMax: number,
): void {
  endpoint.holdsUp = !attempt.delivered || attempt.latencyMs > SLOW_MS;
  endpoint.window = attempt.delivered
    ? Math.min(concurrencyMax, endpoint.window + 1)
    : Math.max(1, Math.floor(endpoint.window / 2));
}

export function roomOf(endpoint: Endpoint): number {
  return endpoint.window - endpoint.inFlight;
}

/** Calls when something is due for the endpoint, unless it will be called earlier anyway. */
export function wakeLater(endpoint: Endpoint, clock: Clock, dueAt: Date, call: () => void): void {
  const atMs = dueAt.getTime();
  if (endpoint.calledOff !== null && endpoint.wakesAtMs <= atMs) return;
  endpoint.calledOff?.();
  endpoint.wakesAtMs = atMs;
  endpoint.calledOff = clock.after(atMs - clock.now().getTime(), () => {
    endpoint.calledOff = null;
    endpoint.wakesAtMs = Infinity;
    call();
  });
}

/** Webhooks that one claim asks for. */
const CLAIM_WEBHOOKS_MAX = 200;

/** Who is asked now, in the order given, and for how many; those that hold up have places of their own. */
export function chooseRooms(
  webhookIds: Iterable<string>,
  endpointOf: (webhookId: string) => Endpoint,
  free: { places: number; slowPlaces: number },
): Map<string, number> {
  const rooms = new Map<string, number>();
  let { places, slowPlaces } = free;
  for (const webhookId of webhookIds) {
    if (places <= 0 || rooms.size >= CLAIM_WEBHOOKS_MAX) break;
    const endpoint = endpointOf(webhookId);
    const room = Math.min(roomOf(endpoint), places, endpoint.holdsUp ? slowPlaces : places);
    if (room <= 0) continue;
    rooms.set(webhookId, room);
    places -= room;
    if (endpoint.holdsUp) slowPlaces -= room;
  }
  return rooms;
}

const FORGET_AFTER_MS = 10 * 60_000;

/** Nothing was to be done for it for so long that what is known of it need not be kept. */
export function isForgettable(endpoint: Endpoint, nowMs: number): boolean {
  const isIdle = endpoint.inFlight === 0 && !endpoint.backlog && endpoint.calledOff === null;
  return isIdle && nowMs - endpoint.usedAtMs > FORGET_AFTER_MS;
}
