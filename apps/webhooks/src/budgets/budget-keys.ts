import ipaddr from 'ipaddr.js';
import {
  type BudgetLimits,
  type BudgetPolicy,
  routePolicy,
  slowPolicy,
  targetPolicy,
  tenantPolicy,
  TEST_CALLS_POLICY,
  testPolicy,
  unverifiedRoutePolicy,
  unverifiedTargetPolicy,
} from './limits.ts';

/** One of the budgets that a delivery is charged to. */
export interface BudgetKey {
  key: string;
  policy: BudgetPolicy;
}

/** Where a webhook's deliveries go, and for whom. */
interface Destination {
  tenantId: string;
  livemode: boolean;
  host: string;
  /** Every address of the name; an address that is not charged is not connected to. */
  addresses: readonly string[];
}

/** The rest of an IPv6 address is chosen by its holder, so that it does not identify one. */
const IPV6_NETWORK_PARTS = 4;

/** What a replica knows of an endpoint. */
export interface EndpointKind {
  /** It accepts deliveries. */
  accepts: boolean;
  /** Its requests may take long. */
  isSlow: boolean;
}

/**
 * All budgets of a first delivery. A host is charged by its name and by its addresses: many names on one address share
 * that address's budget, and one name on many addresses shares the name's. Endpoints that accept and those that do not
 * are charged apart, so that neither slows down the other. Slow ones are also counted by themselves: they use at most
 * half of the slots, and others that are busy do not take those from them.
 */
export function budgetKeysOf(destination: Destination, endpoint: EndpointKind, limits: BudgetLimits): BudgetKey[] {
  const { tenantId, livemode } = destination;
  const tenant = tenantKey(tenantId);
  const shared: BudgetKey[] = [{ key: tenant, policy: tenantPolicy(limits, livemode) }];
  if (!livemode) shared.push({ key: 'test', policy: testPolicy(limits) });
  const routes: BudgetKey[] = [];
  const unproven: BudgetKey[] = [];
  for (const name of targetsOf(destination)) {
    shared.push({ key: name, policy: targetPolicy(limits) });
    routes.push({ key: `${tenant} ${name}`, policy: routePolicy(limits) });
    unproven.push(
      { key: `${tenant} unproven ${name}`, policy: unverifiedRoutePolicy(limits) },
      { key: `unproven ${name}`, policy: unverifiedTargetPolicy(limits) },
    );
  }
  const slow = [...shared, ...routes].map(({ key, policy }) => ({ key: `${key} slow`, policy: slowPolicy(policy) }));
  return [...shared, ...(endpoint.accepts ? routes : unproven), ...(endpoint.isSlow ? slow : [])];
}

/** What bounds the retries that a replica has in flight: the tenant, and where they go. */
export function retryKeysOf(destination: Omit<Destination, 'livemode'>): string[] {
  return [tenantKey(destination.tenantId), ...targetsOf(destination)];
}

/** The budget of a tenant's calls of the test operation. */
export function testCallsKey(tenantId: string): BudgetKey {
  return { key: `${tenantKey(tenantId)} tests`, policy: TEST_CALLS_POLICY };
}

/** The prefix of every budget key of a tenant. */
export function tenantKey(tenantId: string): string {
  return `tenant:${tenantId}`;
}

function targetsOf({ host, addresses }: Pick<Destination, 'host' | 'addresses'>): Set<string> {
  const targets = new Set(addresses.map((address) => `address:${networkOf(address)}`));
  if (!ipaddr.isValid(host)) targets.add(`host:${host}`);
  return targets;
}

function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, IPV6_NETWORK_PARTS).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
