import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A range of addresses: all that share the first `bits` bits with `address`. */
export interface IpRange {
  address: ipaddr.IPv4 | ipaddr.IPv6;
  bits: number;
}

const MAPPED_PREFIX_BITS = 96;

/**
 * Reads an address or a range in CIDR notation; null for anything else, also for the spellings of inet_aton (`10/8`,
 * `0x0a000001`, `010.1.2.3`), which others read differently. IPv4-mapped IPv6 becomes the IPv4 that it means.
 */
export function parseIpRange(text: string): IpRange | null {
  const [addressText = '', bitsText, ...rest] = text.split('/');
  const address = parseIpAddress(addressText, false);
  if (address === null || rest.length > 0) return null;
  const bitsMax = address.toByteArray().length * 8;
  if (bitsText !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(bitsText)) return null;
  const bits = bitsText === undefined ? bitsMax : Number(bitsText);
  if (bits > bitsMax) return null;
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_PREFIX_BITS)
    return { address: address.toIPv4Address(), bits: bits - MAPPED_PREFIX_BITS };
  return { address, bits };
}

/** True when the text is an address and lies in the range. IPv4-mapped IPv6 counts as the IPv4 that it means. */
export function rangeHolds(range: IpRange, text: string): boolean {
  const address = parseIpAddress(text, true);
  if (address === null) return false;
  const plain = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
  return plain.kind() === range.address.kind() && plain.match(range.address as ipaddr.IPv4, range.bits);
}

/** True when every address that `inner` holds is also held by `outer`. */
export function rangeContains(outer: IpRange, inner: IpRange): boolean {
  return (
    outer.address.kind() === inner.address.kind() &&
    outer.bits <= inner.bits &&
    inner.address.match(outer.address as ipaddr.IPv4, outer.bits)
  );
}

/** The network of so many leading bits that holds the address; null for what is no address. */
export function networkAround(text: string, bits: { ipv4: number; ipv6: number }): string | null {
  const address = parseIpAddress(text, true);
  if (address === null) return null;
  const plain = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
  const network =
    plain instanceof ipaddr.IPv4
      ? ipaddr.IPv4.networkAddressFromCIDR(`${plain.toString()}/${bits.ipv4}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${plain.toNormalizedString().split('%')[0]}/${bits.ipv6}`);
  return network.toString();
}

function parseIpAddress(text: string, withZone: boolean): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // ipaddr.js alone would take `1` or `0x7f.1` for an address. The zone of a peer's address is local to this host.
  if (isIP(text) === 0 || (text.includes('%') && !withZone)) return null;
  return ipaddr.parse(text);
}
