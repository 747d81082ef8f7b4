import type { Clock } from '../clock.ts';
import { adapt, chooseRooms, type Endpoint, isForgettable, newEndpoint, roomOf, wakeLater } from './endpoint.ts';

export interface EndpointsOptions {
  clock: Clock;
  /** To one webhook at once. */
  concurrencyMax: number;
  /** To all webhooks at once; those that fail or are slow share half of it. */
  inFlightMax: number;
  /** Told when somebody has both something due and room. */
  onReady: () => void;
}

/** A request on its way. */
export interface Flight {
  webhookId: string;
  countedAsSlow: boolean;
}

/** What one replica knows of all webhooks that it has, or had, something to do for. */
export interface Endpoints {
  /** Something is due for the webhook, now or at the time. */
  hint(webhookId: string, dueAt?: Date): void;
  /** Who is asked now, and for how many; they count as having no backlog until a hint or `wereClaimed` says so. */
  takeRooms(): Map<string, number>;
  /** How many there were: as many as there was room for means that there may be more. */
  wereClaimed(rooms: ReadonlyMap<string, number>, counts: ReadonlyMap<string, number>): void;
  begin(webhookId: string): Flight;
  adapt(webhookId: string, attempt: { delivered: boolean; latencyMs: number }): void;
  end(flight: Flight): void;
  /** Drops what need not be known any more. */
  tidy(): void;
  close(): void;
}

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { clock, concurrencyMax, inFlightMax, onReady } = options;
  const endpoints = new Map<string, Endpoint>();
  /** Webhooks with backlog and room, in the order in which they will be asked. */
  const ready = new Set<string>();
  let inFlight = 0;
  let slowInFlight = 0;

  const endpointOf = (webhookId: string): Endpoint => {
    let endpoint = endpoints.get(webhookId);
    if (endpoint === undefined) endpoints.set(webhookId, (endpoint = newEndpoint(clock.now().getTime())));
    return endpoint;
  };
  const makeReady = (webhookId: string, endpoint: Endpoint) => {
    if (endpoint.backlog && roomOf(endpoint) > 0) ready.add(webhookId);
  };
  const dueNow = (webhookId: string) => {
    const endpoint = endpointOf(webhookId);
    endpoint.backlog = true;
    makeReady(webhookId, endpoint);
    onReady();
  };

  return {
    hint(webhookId, dueAt) {
      if (dueAt === undefined || dueAt <= clock.now()) dueNow(webhookId);
      else wakeLater(endpointOf(webhookId), clock, dueAt, () => dueNow(webhookId));
    },
    takeRooms() {
      const slowPlaces = Math.floor(inFlightMax / 2) - slowInFlight;
      const rooms = chooseRooms(ready, endpointOf, { places: inFlightMax - inFlight, slowPlaces });
      for (const webhookId of rooms.keys()) {
        ready.delete(webhookId);
        endpointOf(webhookId).backlog = false;
      }
      return rooms;
    },
    wereClaimed(rooms, counts) {
      for (const [webhookId, room] of rooms) {
        const endpoint = endpointOf(webhookId);
        if (counts.get(webhookId) === room) endpoint.backlog = true;
        makeReady(webhookId, endpoint);
      }
    },
    begin(webhookId) {
      const endpoint = endpointOf(webhookId);
      endpoint.usedAtMs = clock.now().getTime();
      endpoint.inFlight += 1;
      inFlight += 1;
      if (endpoint.holdsUp) slowInFlight += 1;
      return { webhookId, countedAsSlow: endpoint.holdsUp };
    },
    adapt: (webhookId, attempt) => adapt(endpointOf(webhookId), attempt, concurrencyMax),
    end({ webhookId, countedAsSlow }) {
      const endpoint = endpointOf(webhookId);
      endpoint.inFlight -= 1;
      inFlight -= 1;
      if (countedAsSlow) slowInFlight -= 1;
      makeReady(webhookId, endpoint);
    },
    tidy() {
      const nowMs = clock.now().getTime();
      for (const [webhookId, endpoint] of endpoints) if (isForgettable(endpoint, nowMs)) endpoints.delete(webhookId);
    },
    close() {
      for (const endpoint of endpoints.values()) endpoint.calledOff?.();
    },
  };
}
