import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

/**
 * The caller's address: that of the connection, or, behind `trustedProxies` proxies of the operator, the
 * entry of X-Forwarded-For which the outermost of them wrote. With fewer entries than proxies the furthest one
 * counts: a trusted proxy vouches for it. Read before the header is stripped.
 */
export function clientAddressOf(request: IncomingMessage, trustedProxies: number): string {
  const peer = request.socket.remoteAddress ?? '';
  const header = request.headers['x-forwarded-for'];
  if (trustedProxies === 0 || header === undefined) return peer;
  const hops = (Array.isArray(header) ? header.join(',') : header).split(',');
  return withoutPort(hops.at(Math.max(-trustedProxies, -hops.length))!.trim());
}

/** Some proxies append the port. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(hop);
  if (bracketed !== null) return bracketed[1]!;
  const [address = '', port] = hop.split(':', 2);
  return port !== undefined && isIPv4(address) ? address : hop;
}
