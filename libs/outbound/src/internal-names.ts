/**
 * Top-level domains whose names exist inside a private network only, or nowhere. The public root delegates none of
 * them, so whatever a name server answers comes from the inside.
 */
const INTERNAL_DOMAINS: ReadonlySet<string> = new Set([
  // RFC 6761. `example` stays usable: documentation is full of it, and it resolves to nothing.
  'localhost',
  'test',
  // RFC 6762: multicast DNS, and the domains of its appendix G that private networks use.
  'local',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  // RFC 6762, appendix G; reserved for private use by ICANN (resolution 2024.07.29.06). Clouds name their machines in it.
  'internal',
  // The name that many systems give themselves.
  'localdomain',
  // Infrastructure, no hosts: reverse look-ups, and home networks (RFC 8375).
  'arpa',
  // RFC 7686 and RFC 9476: outside the domain name system.
  'onion',
  'alt',
]);

/** Names under which clouds offer their metadata services, besides those in internal domains and without a dot. */
const METADATA_NAMES: readonly string[] = [
  // Google Cloud.
  'metadata.google.internal',
  'metadata.goog',
  // AWS.
  'instance-data.ec2.internal',
  // Azure.
  'metadata.azure.internal',
  // Tencent Cloud.
  'metadata.tencentyun.com',
  // Equinix Metal.
  'metadata.platformequinix.com',
  'metadata.packet.net',
  // What the search domains of Google Cloud and AWS complete.
  'metadata',
  'instance-data',
];

/** Names that mean this machine (RFC 6761, section 6.3), whatever a name server says. */
export function isLocalName(host: string): boolean {
  return isWithin(host, 'localhost');
}

/** True for a name of a cloud's metadata service, or a name below one. */
export function isMetadataName(host: string): boolean {
  return METADATA_NAMES.some((name) => isWithin(host, name));
}

/**
 * True for a name that can only belong to a private network: it lies in one of its domains, or has no dot, so that a
 * search domain completes it (RFC 7085 forbids addresses for top-level domains). `host` is lower case and no address.
 */
export function isInternalName(host: string): boolean {
  const lastDot = host.lastIndexOf('.');
  return lastDot === -1 || INTERNAL_DOMAINS.has(host.slice(lastDot + 1)) || isMetadataName(host);
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
