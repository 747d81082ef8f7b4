import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_GROUPS = 4;

/** The unit in which addresses are limited: a holder of one IPv6 address usually holds its whole /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts.slice(0, IPV6_NETWORK_GROUPS).join(':');
}
