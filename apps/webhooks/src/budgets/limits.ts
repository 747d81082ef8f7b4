/** The operator's limits on first deliveries. */
export interface BudgetLimits {
  /** To a host or address, for webhooks of one tenant whose endpoints accept deliveries, at first. */
  hostStartPerSecond: number;
  /** To a host or address, by all tenants together, however well it accepts. */
  hostPerSecondMax: number;
  hostInFlightMax: number;
  tenantPerSecondMax: number;
  tenantInFlightMax: number;
  /** All test environments together. */
  testPerSecondMax: number;
  testInFlightMax: number;
}

/** What one budget grants. */
export interface BudgetPolicy {
  startPerSecond: number;
  /** Above `startPerSecond` for a budget that grows; otherwise equal to it. */
  perSecondMax: number;
  /** Deliveries at once after a pause; null: those of one second. */
  burst: number | null;
  inFlightMax: number;
}

/** A test environment has the same share of its tenant's limits everywhere. */
const TEST_RATE_SHARE = 0.1;
/** Larger than that of the rate, because an endpoint that hangs occupies a slot for seconds. */
const TEST_IN_FLIGHT_SHARE = 0.5;
/** One tenant cannot occupy all slots of a host. */
const ROUTE_IN_FLIGHT_SHARE = 0.5;
/** Of the start rate, for endpoints of one tenant that accept nothing. */
const UNPROVEN_RATE_SHARE = 0.2;
/** The same for endpoints of all tenants together. */
const UNPROVEN_TARGET_RATE_SHARE = 2;
/** First deliveries at once to such endpoints, so that many new ones get their first event without waiting. */
const UNPROVEN_BURST_SECONDS = 3;
const UNPROVEN_TARGET_BURST_SECONDS = 6;

/** Of the slots of a budget, for endpoints that are slow or unknown, which may occupy them for long. */
const SLOW_IN_FLIGHT_SHARE = 0.5;
/** A rate that never delays anything; it is stored, and an infinite one could not be counted with. */
const UNLIMITED_PER_SECOND = 1_000_000_000;
/** Of the retries in flight at a replica: neither one tenant nor one target can occupy all slots. */
const RETRY_SHARE = 0.5;

/** Calls of the test operation; a tenant's endpoints that hang must not occupy all slots for tests. */
const TEST_CALLS_PER_SECOND = 10;
const TEST_CALLS_IN_FLIGHT_MAX = 16;
export const TEST_CALLS_POLICY = fixedPolicy(TEST_CALLS_PER_SECOND, TEST_CALLS_IN_FLIGHT_MAX);

/** The retries of one tenant, or to one host or address, at one replica: any rate, in flight at most half of all. */
export function retryPolicy(inFlightMax: number): BudgetPolicy {
  return fixedPolicy(Infinity, inFlightMax * RETRY_SHARE);
}

/** One tenant to one host or address, for endpoints that accept. */
export function routePolicy(limits: BudgetLimits): BudgetPolicy {
  return {
    startPerSecond: limits.hostStartPerSecond,
    perSecondMax: limits.hostPerSecondMax,
    burst: null,
    inFlightMax: routeInFlightMax(limits),
  };
}

/** One tenant to one host or address, for endpoints that have accepted nothing yet or fail now. */
export function unverifiedRoutePolicy(limits: BudgetLimits): BudgetPolicy {
  const rate = Math.min(limits.hostStartPerSecond * UNPROVEN_RATE_SHARE, limits.hostPerSecondMax);
  const burst = Math.min(limits.hostStartPerSecond * UNPROVEN_BURST_SECONDS, limits.hostPerSecondMax);
  return fixedPolicy(rate, routeInFlightMax(limits), burst);
}

/** All tenants to one host or address. */
export function targetPolicy(limits: BudgetLimits): BudgetPolicy {
  return fixedPolicy(limits.hostPerSecondMax, limits.hostInFlightMax);
}

/** All tenants to one host or address, for endpoints that have accepted nothing yet or fail now. */
export function unverifiedTargetPolicy(limits: BudgetLimits): BudgetPolicy {
  const rate = Math.min(limits.hostStartPerSecond * UNPROVEN_TARGET_RATE_SHARE, limits.hostPerSecondMax);
  const burst = Math.min(limits.hostStartPerSecond * UNPROVEN_TARGET_BURST_SECONDS, limits.hostPerSecondMax);
  return fixedPolicy(rate, limits.hostInFlightMax, burst);
}

export function tenantPolicy(limits: BudgetLimits, livemode: boolean): BudgetPolicy {
  return livemode
    ? fixedPolicy(limits.tenantPerSecondMax, limits.tenantInFlightMax)
    : fixedPolicy(limits.tenantPerSecondMax * TEST_RATE_SHARE, limits.tenantInFlightMax * TEST_IN_FLIGHT_SHARE);
}

export function testPolicy(limits: BudgetLimits): BudgetPolicy {
  return fixedPolicy(limits.testPerSecondMax, limits.testInFlightMax);
}

/** What slow endpoints may have in flight of the budget with the policy, whatever others have. */
export function slowPolicy({ inFlightMax }: BudgetPolicy): BudgetPolicy {
  return fixedPolicy(UNLIMITED_PER_SECOND, Math.ceil(inFlightMax * SLOW_IN_FLIGHT_SHARE));
}

function routeInFlightMax(limits: BudgetLimits): number {
  return Math.ceil(limits.hostInFlightMax * ROUTE_IN_FLIGHT_SHARE);
}

function fixedPolicy(perSecond: number, inFlight: number, burst: number | null = null): BudgetPolicy {
  return {
    startPerSecond: perSecond,
    perSecondMax: perSecond,
    burst,
    inFlightMax: Math.max(1, Math.floor(inFlight)),
  };
}
