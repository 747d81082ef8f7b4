import type { Clock } from '../clock.ts';
import type { ClaimRequest, ClaimOutcome } from './claim-due.ts';
import type { DueWebhooks } from './claim-loop.ts';
import { addCount } from './counts.ts';
import {
  adapt,
  selectWebhooks,
  type Endpoint,
  isExpired,
  changeUrl,
  newEndpoint,
  pause,
  freeSlots,
  scheduleWake,
} from './endpoint.ts';

interface EndpointsOptions {
  clock: Clock;
  /** Requests in flight to one webhook. */
  concurrencyMax: number;
  /** Requests in flight to all webhooks; those that are slow share half of it. */
  inFlightMax: number;
  /** Slots that each tenant's retries occupy, or will occupy for long when they are due; each of a slow first attempt may become one. */
  retryLoads: ReadonlyMap<string, number>;
  /** Called when a webhook has both something due and a free slot. */
  onReady: () => void;
}

/** A request in flight. */
interface Flight {
  webhookId: string;
  tenantId: string;
  countedAsSlow: boolean;
}

/** The webhooks that one replica has, or had, first attempts for, and the state of their endpoints. */
export interface Endpoints extends DueWebhooks {
  /** An attempt at the webhook's URL begins, in whatever lane. */
  leadTo(webhookId: string, url: string): void;
  begin(webhookId: string, tenantId: string): Flight;
  adapt(webhookId: string, attempt: { url: string; delivered: boolean; latencyMs: number; isFirst: boolean }): void;
  end(flight: Flight): void;
  /** Drops the state of webhooks that have been idle for long. */
  tidy(): void;
  close(): void;
}

/** What slow first attempts have even when all slots for their retries are taken. */
const SLOW_SHARE_MIN = 1 / 8;
/** A budget may be refilled sooner than estimated. */
const BUDGET_WAIT_MAX_MS = 1_000;

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { clock, concurrencyMax, inFlightMax, onReady } = options;
  const endpoints = new Map<string, Endpoint>();
  /** Webhooks with backlog and free slots, in the order of the next claim request. */
  const ready = new Set<string>();
  let inFlight = 0;
  const slowInFlight = new Map<string, number>();

  const nowMs = () => clock.now().getTime();
  const endpointOf = (webhookId: string) => findOrCreate(endpoints, webhookId, nowMs());
  const makeReady = (webhookId: string, endpoint: Endpoint) => {
    if (!endpoint.backlog) return;
    if (endpoint.pausedUntilMs > nowMs())
      scheduleWake(endpoint, clock, endpoint.pausedUntilMs, () => dueNow(webhookId));
    else if (freeSlots(endpoint, nowMs()) > 0) ready.add(webhookId);
  };
  const dueNow = (webhookId: string) => {
    const endpoint = endpointOf(webhookId);
    endpoint.backlog = true;
    makeReady(webhookId, endpoint);
    if (ready.has(webhookId)) onReady();
  };
  const takeClaimRequest = (): ClaimRequest => {
    const capacity = inFlightMax - inFlight;
    const slowCapacity = Math.min(capacity, slowMaxOf(options) - sumOf(slowInFlight.values()));
    const { webhooks, full } = selectWebhooks(ready, endpointOf, nowMs(), { capacity, slowCapacity });
    for (const webhookId of [...webhooks.keys(), ...full]) ready.delete(webhookId);
    for (const webhookId of webhooks.keys()) endpointOf(webhookId).backlog = false;
    for (const webhookId of full) makeReady(webhookId, endpointOf(webhookId));
    return { webhooks, capacity, slowCapacity, slowCapacityOf: slowLeftOf(options, slowInFlight) };
  };
  const applyClaimOutcome = (outcome: ClaimOutcome) => {
    const { takenByWebhook, slotsByWebhook, waitMsByWebhook, withoutCapacity } = outcome;
    for (const webhookId of new Set([...slotsByWebhook.keys(), ...waitMsByWebhook.keys(), ...withoutCapacity])) {
      const endpoint = endpointOf(webhookId);
      // All slots were used, so there may be more.
      if ((takenByWebhook.get(webhookId) ?? 0) === (slotsByWebhook.get(webhookId) ?? 0)) {
        endpoint.backlog = true;
        pause(endpoint, nowMs() + Math.min(waitMsByWebhook.get(webhookId) ?? 0, BUDGET_WAIT_MAX_MS));
      }
      makeReady(webhookId, endpoint);
    }
  };

  return {
    takeClaimRequest,
    applyClaimOutcome,
    hint(webhookId, dueAt) {
      if (dueAt === undefined || dueAt <= clock.now()) dueNow(webhookId);
      else scheduleWake(endpointOf(webhookId), clock, dueAt.getTime(), () => dueNow(webhookId));
    },
    leadTo: (webhookId, url) => changeUrl(endpointOf(webhookId), url),
    begin(webhookId, tenantId) {
      const endpoint = endpointOf(webhookId);
      endpoint.usedAtMs = nowMs();
      endpoint.inFlight += 1;
      inFlight += 1;
      if (endpoint.isSlow) addCount(slowInFlight, tenantId, 1);
      return { webhookId, tenantId, countedAsSlow: endpoint.isSlow };
    },
    adapt: (webhookId, attempt) => adapt(endpointOf(webhookId), attempt, concurrencyMax),
    end({ webhookId, tenantId, countedAsSlow }) {
      const endpoint = endpointOf(webhookId);
      endpoint.inFlight -= 1;
      inFlight -= 1;
      if (countedAsSlow) addCount(slowInFlight, tenantId, -1);
      makeReady(webhookId, endpoint);
    },
    tidy: () => dropIdle(endpoints, nowMs()),
    close: () => endpoints.forEach((endpoint) => endpoint.cancelWake?.()),
  };
}

type Slots = Pick<EndpointsOptions, 'inFlightMax' | 'retryLoads'>;

/** Slow first attempts begin only while there will be slots for their retries, except for a few, so that new endpoints get some. */
function slowMaxOf({ inFlightMax, retryLoads }: Slots): number {
  const half = Math.floor(inFlightMax / 2);
  // No tenant's retries occupy more than half of the slots, however many wait.
  const load = sumOf([...retryLoads.values()].map((ofTenant) => Math.min(half, ofTenant)));
  return Math.max(1, Math.floor(inFlightMax * SLOW_SHARE_MIN), Math.min(half, inFlightMax - load));
}

/** The same for one tenant, whose retries use at most half of the slots. */
function slowLeftOf({ inFlightMax, retryLoads }: Slots, slowInFlight: ReadonlyMap<string, number>) {
  const least = Math.max(1, Math.floor((inFlightMax * SLOW_SHARE_MIN) / 2));
  return (tenantId: string): number => {
    const slowMax = Math.max(least, Math.floor(inFlightMax / 2) - (retryLoads.get(tenantId) ?? 0));
    return slowMax - (slowInFlight.get(tenantId) ?? 0);
  };
}

function sumOf(counts: Iterable<number>): number {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}

function findOrCreate(endpoints: Map<string, Endpoint>, webhookId: string, nowMs: number): Endpoint {
  let endpoint = endpoints.get(webhookId);
  if (endpoint === undefined) endpoints.set(webhookId, (endpoint = newEndpoint(nowMs)));
  return endpoint;
}

function dropIdle(endpoints: Map<string, Endpoint>, nowMs: number): void {
  for (const [webhookId, endpoint] of endpoints) if (isExpired(endpoint, nowMs)) endpoints.delete(webhookId);
}
