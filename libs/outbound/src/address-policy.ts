import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OutboundError } from './outbound-error.ts';

/** Which addresses may be dialled. */
export interface AddressPolicy {
  /** Development only: loopback and private addresses may be dialled too. Link-local ones, metadata services among them, never. */
  allowPrivateNetwork: boolean;
}

/** What the development setting adds, by the names of ipaddr.js. */
const PRIVATE_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/** Global unicast (RFC 4291, section 2.4): what is outside, like `::127.0.0.1`, may lead anywhere. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public addresses at which a cloud answers its own machines: Azure's platform service. */
const PLATFORM_SERVICES: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * True when the address is one of the public Internet, or a private one where that is allowed. Forms of IPv6 that
 * carry an IPv4 address (mapped, 6to4, NAT64, Teredo) are never dialled: they would need the same look twice.
 */
export function mayDial(policy: AddressPolicy, text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  const range = address.range();
  if (policy.allowPrivateNetwork && PRIVATE_RANGES.has(range)) return true;
  if (range !== 'unicast' || PLATFORM_SERVICES.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
}

/** Throws `address_refused` when any of a host's addresses may not be dialled: such a host is not asked at all. */
export function assertMayDial(policy: AddressPolicy, host: string, addresses: readonly string[]): void {
  if (addresses.every((address) => mayDial(policy, address))) return;
  // The address is not told: an answer must not map the inside of a network.
  throw new OutboundError('address_refused', `${host} has an address that requests may not go to`);
}
