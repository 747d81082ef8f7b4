/** The operator's limits on the rate of deliveries. */
export interface BudgetLimits {
  /** To a host or address, by a tenant whose deliveries it has not accepted yet. */
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
  /** Above `startPerSecond` for an adaptive budget; otherwise equal to it. */
  perSecondMax: number;
  inFlightMax: number;
  /** Of a target: the rate that all unproven tenants share. */
  unprovenPerSecond: number | null;
}

/** A test environment has the same share of its tenant's limits everywhere. */
const TEST_SHARE = 0.1;
/** One unproven tenant cannot use up the rate of all of them. */
const UNPROVEN_TENANTS = 2;

export function routePolicy(limits: BudgetLimits): BudgetPolicy {
  return {
    startPerSecond: limits.hostStartPerSecond,
    perSecondMax: limits.hostPerSecondMax,
    inFlightMax: limits.hostInFlightMax,
    unprovenPerSecond: null,
  };
}

export function targetPolicy(limits: BudgetLimits): BudgetPolicy {
  return {
    startPerSecond: limits.hostPerSecondMax,
    perSecondMax: limits.hostPerSecondMax,
    inFlightMax: limits.hostInFlightMax,
    unprovenPerSecond: limits.hostStartPerSecond * UNPROVEN_TENANTS,
  };
}

export function tenantPolicy(limits: BudgetLimits, livemode: boolean): BudgetPolicy {
  const share = livemode ? 1 : TEST_SHARE;
  return fixedPolicy(limits.tenantPerSecondMax * share, limits.tenantInFlightMax * share);
}

export function testPolicy(limits: BudgetLimits): BudgetPolicy {
  return fixedPolicy(limits.testPerSecondMax, limits.testInFlightMax);
}

function fixedPolicy(perSecond: number, inFlight: number): BudgetPolicy {
  return {
    startPerSecond: perSecond,
    perSecondMax: perSecond,
    inFlightMax: Math.max(1, Math.floor(inFlight)),
    unprovenPerSecond: null,
  };
}
