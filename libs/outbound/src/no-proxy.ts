import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A host or network that is reached without the proxy. */
export type NoProxyEntry =
  | { kind: 'name'; name: string }
  | { kind: 'network'; network: ipaddr.IPv4 | ipaddr.IPv6; bits: number };

const NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/** Reads a list like `localhost,.models.internal,10.0.0.0/8`. */
export function parseNoProxy(text: string): { entries: readonly NoProxyEntry[] } | { problem: string } {
  const entries: NoProxyEntry[] = [];
  for (const part of text.split(',')) {
    const entry = part.trim().toLowerCase();
    if (entry === '') continue;
    const parsed = entryOf(entry);
    if (parsed === null) return { problem: `contains ${JSON.stringify(entry)}, which is no name, address or range` };
    entries.push(parsed);
  }
  return { entries };
}

function entryOf(entry: string): NoProxyEntry | null {
  if (isIP(entry) !== 0) {
    const network = ipaddr.parse(entry);
    return { kind: 'network', network, bits: network.kind() === 'ipv4' ? 32 : 128 };
  }
  if (ipaddr.isValidCIDR(entry)) {
    const [network, bits] = ipaddr.parseCIDR(entry);
    return { kind: 'network', network, bits };
  }
  const name = entry.replace(/^\*?\./, '');
  return NAME.test(name) ? { kind: 'name', name } : null;
}

/** True when the name, or every address it resolved to, is in the list. */
export function bypassesProxy(entries: readonly NoProxyEntry[], host: string, addresses: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  const named = entries.some(
    (entry) => entry.kind === 'name' && (name === entry.name || name.endsWith(`.${entry.name}`)),
  );
  if (named) return true;
  return addresses.length > 0 && addresses.every((address) => entries.some((entry) => contains(entry, address)));
}

function contains(entry: NoProxyEntry, text: string): boolean {
  if (entry.kind !== 'network') return false;
  const address = ipaddr.parse(text);
  return address.kind() === entry.network.kind() && address.match(entry.network, entry.bits);
}
