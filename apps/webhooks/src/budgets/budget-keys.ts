import ipaddr from 'ipaddr.js';
import { type BudgetLimits, type BudgetPolicy, routePolicy, targetPolicy, tenantPolicy, testPolicy } from './limits.ts';

/** One of the budgets that a delivery is charged to. */
export interface BudgetKey {
  key: string;
  policy: BudgetPolicy;
  /** Of a host or address: the key of the tenant's own budget there, which tells whether the tenant is proven. */
  provenBy: string | null;
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

/**
 * All budgets of a destination. A host is charged by its name and by its addresses: many names on one address share
 * that address's budget, and one name on many addresses shares the name's.
 */
export function budgetKeysOf(destination: Destination, limits: BudgetLimits): BudgetKey[] {
  const { tenantId, livemode } = destination;
  const [route, target] = [routePolicy(limits), targetPolicy(limits)];
  const keys: BudgetKey[] = [{ key: tenantKey(tenantId), policy: tenantPolicy(limits, livemode), provenBy: null }];
  if (!livemode) keys.push({ key: 'test', policy: testPolicy(limits), provenBy: null });
  for (const name of targetsOf(destination)) {
    const routeKey = `${tenantKey(tenantId)} ${name}`;
    keys.push({ key: routeKey, policy: route, provenBy: null });
    keys.push({ key: name, policy: target, provenBy: routeKey });
  }
  return keys;
}

/** The prefix of every budget key of a tenant. */
export function tenantKey(tenantId: string): string {
  return `tenant:${tenantId}`;
}

function targetsOf({ host, addresses }: Destination): Set<string> {
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
