/** How fast deliveries may go, as the operator set it. */
export interface BudgetLimits {
  /** To a host or address, by a tenant whose deliveries it has not accepted yet. */
  hostStartPerSecond: number;
  /** To a host or address, by everyone together, however well it accepts. */
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
  /** Above `startPerSecond` for a budget that grows with what is accepted; else the same. */
  perSecondMax: number;
  inFlightMax: number;
  /** Of a target: what all tenants together may send that it has not accepted deliveries of. */
  unprovenPerSecond: number | null;
}

/** A test environment has the same share of its tenant's limits everywhere. */
const TEST_SHARE = 0.1;
/** One tenant cannot use up what is left for those whom a target does not know yet. */
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
