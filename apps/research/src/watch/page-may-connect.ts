import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page may open a WebSocket: one of the origins that the operator allows, or one that was loaded from the very
 * host that it now asks, by whatever name or address the installation was opened. Programs send no origin.
 */
export function pageMayConnect(headers: IncomingHttpHeaders, allowed: ReadonlySet<string>): boolean {
  const { origin } = headers;
  if (origin === undefined || allowed.has(origin)) return true;
  // Only the gateway sets this header, to the host of the request that it received.
  const asked = headers['x-forwarded-host'];
  if (typeof asked !== 'string' || asked === '' || !URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  const address = `${protocol}//${asked}`;
  // Parsed alike, so that case and a port that the scheme implies make no difference.
  return URL.canParse(address) && new URL(address).host === host;
}
