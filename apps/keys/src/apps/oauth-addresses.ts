import { idPattern } from '@cairn/contracts';

const SPACE = idPattern('space');
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** The issuer of RFC 8414: the public base URL without a slash at its end. */
export function issuerOf(baseUrl: string): string {
  return baseUrl.replace(/(?<!\/)\/+$/, '');
}

/** The MCP endpoint of a space, which its tokens are for. */
export function resourceOf(baseUrl: string, spaceId: string): string {
  return `${issuerOf(baseUrl)}/api/v1/spaces/${spaceId}/mcp`;
}

/** The space whose MCP endpoint this is; null for any other address. */
export function spaceOfResource(baseUrl: string, resource: string): string | null {
  const spaceId = /\/api\/v1\/spaces\/(\w+)\/mcp$/.exec(resource)?.[1];
  return spaceId !== undefined && SPACE.test(spaceId) && resource === resourceOf(baseUrl, spaceId) ? spaceId : null;
}

/** Where a code may be led to: https, or a program on the device itself. */
export function mayBeRedirect(uri: string): boolean {
  const url = URL.parse(uri);
  if (url === null || uri.includes('#') || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || isLoopback(url);
}

export function isLoopback(url: URL): boolean {
  return url.protocol === 'http:' && LOOPBACK.has(url.hostname);
}

/**
 * True for exactly one of the client's own addresses. A program on the device is given its port by the system, so on the
 * loopback interface the port may differ (RFC 8252, 7.3).
 */
export function isRedirectOf(redirectUris: readonly string[], asked: string): boolean {
  if (!mayBeRedirect(asked)) return false;
  return redirectUris.some((own) => own === asked || (mayBeRedirect(own) && differInPort(own, asked)));
}

function differInPort(own: string, asked: string): boolean {
  const [ownUrl, askedUrl] = [new URL(own), new URL(asked)];
  if (!isLoopback(ownUrl) || !isLoopback(askedUrl)) return false;
  ownUrl.port = askedUrl.port;
  return ownUrl.href === askedUrl.href;
}
