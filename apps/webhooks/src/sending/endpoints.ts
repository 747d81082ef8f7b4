import type { Clock } from '../clock.ts';
import type { Asked, ClaimOutcome } from './claim.ts';
import {
  adapt,
  chooseAsked,
  type Endpoint,
  isForgettable,
  newEndpoint,
  rest,
  restIfFailing,
  roomOf,
  wakeLater,
} from './endpoint.ts';

export interface EndpointsOptions {
  clock: Clock;
  /** To one webhook at once. */
  concurrencyMax: number;
  /** To all webhooks at once; those that fail or are slow share half of it. */
  inFlightMax: number;
  /** Between two attempts at an endpoint that keeps failing. */
  failingIntervalMs: number;
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
  takeAsked(): Asked;
  /** What was there for them, and who has to wait. */
  wereClaimed(outcome: ClaimOutcome): void;
  begin(webhookId: string): Flight;
  adapt(webhookId: string, attempt: { delivered: boolean; latencyMs: number }): void;
  end(flight: Flight): void;
  /** Drops what need not be known any more. */
  tidy(): void;
  close(): void;
}

/** A budget may have more sooner than was thought. */
const BUDGET_WAIT_MAX_MS = 1_000;

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { clock, concurrencyMax, inFlightMax, onReady } = options;
  const endpoints = new Map<string, Endpoint>();
  /** Webhooks with backlog and room, in the order in which they will be asked. */
  const ready = new Set<string>();
  let inFlight = 0;
  let slowInFlight = 0;

  const nowMs = () => clock.now().getTime();
  const endpointOf = (webhookId: string) => findOrMake(endpoints, webhookId, nowMs());
  const makeReady = (webhookId: string, endpoint: Endpoint) => {
    if (!endpoint.backlog) return;
    if (endpoint.restsUntilMs > nowMs()) wakeLater(endpoint, clock, endpoint.restsUntilMs, () => dueNow(webhookId));
    else if (roomOf(endpoint, nowMs()) > 0) ready.add(webhookId);
  };
  const dueNow = (webhookId: string) => {
    const endpoint = endpointOf(webhookId);
    endpoint.backlog = true;
    makeReady(webhookId, endpoint);
    if (ready.has(webhookId)) onReady();
  };
  const takeAsked = (): Asked => {
    const places = inFlightMax - inFlight;
    const slowPlaces = Math.min(places, Math.floor(inFlightMax / 2) - slowInFlight);
    const { webhooks, full } = chooseAsked(ready, endpointOf, nowMs(), { places, slowPlaces });
    for (const webhookId of [...webhooks.keys(), ...full]) ready.delete(webhookId);
    for (const webhookId of webhooks.keys()) endpointOf(webhookId).backlog = false;
    for (const webhookId of full) makeReady(webhookId, endpointOf(webhookId));
    return { webhooks, places, slowPlaces };
  };
  const wereClaimed = ({ claimed, rooms, waitsMs, withoutPlace }: ClaimOutcome) => {
    const counts = Map.groupBy(claimed, ({ webhook_id }) => webhook_id);
    for (const webhookId of new Set([...rooms.keys(), ...waitsMs.keys(), ...withoutPlace])) {
      const endpoint = endpointOf(webhookId);
      // As many as there could have been means that there may be more.
      if ((counts.get(webhookId)?.length ?? 0) === (rooms.get(webhookId) ?? 0)) {
        endpoint.backlog = true;
        rest(endpoint, nowMs() + Math.min(waitsMs.get(webhookId) ?? 0, BUDGET_WAIT_MAX_MS));
      }
      makeReady(webhookId, endpoint);
    }
  };

  return {
    takeAsked,
    wereClaimed,
    hint(webhookId, dueAt) {
      if (dueAt === undefined || dueAt <= clock.now()) dueNow(webhookId);
      else wakeLater(endpointOf(webhookId), clock, dueAt.getTime(), () => dueNow(webhookId));
    },
    begin(webhookId) {
      const endpoint = endpointOf(webhookId);
      endpoint.usedAtMs = nowMs();
      endpoint.inFlight += 1;
      inFlight += 1;
      if (endpoint.holdsUp) slowInFlight += 1;
      restIfFailing(endpoint, nowMs(), options.failingIntervalMs);
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
    tidy: () => forgetIdle(endpoints, nowMs()),
    close: () => endpoints.forEach((endpoint) => endpoint.calledOff?.()),
  };
}

function findOrMake(endpoints: Map<string, Endpoint>, webhookId: string, nowMs: number): Endpoint {
  let endpoint = endpoints.get(webhookId);
  if (endpoint === undefined) endpoints.set(webhookId, (endpoint = newEndpoint(nowMs)));
  return endpoint;
}

function forgetIdle(endpoints: Map<string, Endpoint>, nowMs: number): void {
  for (const [webhookId, endpoint] of endpoints) if (isForgettable(endpoint, nowMs)) endpoints.delete(webhookId);
}
