import type { IncomingMessage } from 'node:http';

/**
 * The caller's address: that of the connection, or, behind `trustedProxies` proxies of the operator, the
 * entry of X-Forwarded-For which the outermost of them wrote. Read before the header is stripped.
 */
export function clientAddressOf(request: IncomingMessage, trustedProxies: number): string {
  const peer = request.socket.remoteAddress ?? '';
  if (trustedProxies === 0) return peer;
  const header = request.headers['x-forwarded-for'];
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((hop) => hop.trim());
  return hops.at(-trustedProxies) || peer;
}
