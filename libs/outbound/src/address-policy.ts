import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OutboundError } from './outbound-error.ts';

/** Which addresses may be connected to. */
export interface AddressPolicy {
  /**
   * Loopback and private addresses are permitted too: in development, and for hosts of the operator's own
   * configuration. Link-local addresses and the metadata services of clouds are refused even then.
   */
  allowPrivateNetwork: boolean;
}

/** What `allowPrivateNetwork` adds, by the names of ipaddr.js. */
const PRIVATE_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/** Global unicast (RFC 4291, section 2.4): what is outside, like `::127.0.0.1`, may lead anywhere. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Where clouds hand credentials and settings to their own machines. Most of these lie in ranges that look private or
 * public; whole prefixes are listed where the provider reserves them for such services.
 */
const METADATA_SERVICES: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  // AWS, Azure, Google Cloud, DigitalOcean, OpenStack, Tencent, Scaleway; AWS containers and EKS pod identity.
  '169.254.0.0/16',
  // Azure's platform service (WireServer).
  '168.63.129.16/32',
  // Alibaba Cloud.
  '100.100.100.200/32',
  // Oracle Cloud.
  '192.0.0.192/32',
  // AWS: instance metadata, EKS pod identity, name servers and time.
  'fd00:ec2::/32',
  // Google Cloud.
  'fd20:ce::/32',
  // Oracle Cloud.
  'fd00:c1::/32',
  // Scaleway.
  'fd00:42::/32',
  // OpenStack.
  'fe80::a9fe:a9fe/128',
].map((range) => ipaddr.parseCIDR(range));

/**
 * True when the address is one of the public Internet, or a private one where that is allowed. IPv6 forms that carry
 * an IPv4 address (mapped, 6to4, NAT64, Teredo) are never connected to: they would have to pass the same checks twice.
 */
export function mayConnect(policy: AddressPolicy, text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (isMetadataService(address)) return false;
  const range = address.range();
  if (policy.allowPrivateNetwork && PRIVATE_RANGES.has(range)) return true;
  if (range !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
}

function isMetadataService(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return METADATA_SERVICES.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** Throws `address_refused` when any of a host's addresses is refused: no request is sent to such a host. */
export function assertMayConnect(policy: AddressPolicy, host: string, addresses: readonly string[]): void {
  if (addresses.every((address) => mayConnect(policy, address))) return;
  // The address is not named: an answer must not map the inside of a network.
  throw new OutboundError('address_refused', `${host} has an address that requests may not go to`);
}
