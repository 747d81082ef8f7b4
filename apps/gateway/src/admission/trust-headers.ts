import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
];

// Headers that only the gateway may set, that services believe from proxies, that would make a service see another
// method or path than the one that was admitted, and cookies, which no operation reads and browsers send by themselves.
// Names are compared with underscores folded to hyphens, as some servers do.
const TRUST =
  /^(?:x-cairn-|x-tenant|x-user|x-forwarded|forwarded$|x-real-ip$|x-client-ip$|x-cluster-client-ip$|true-client-ip$|cf-connecting-ip$|x-original-|x-rewrite-|x-http-method|x-method-override$|proxy$|cookie2?$)/;
const CREDENTIALS: ReadonlySet<string> = new Set(['x-api-key', 'authorization']);

// `Connection` must not remove framing headers, nor those that the gateway itself has set by then.
const PROTECTED_HEADERS: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'host', 'x-request-id']);

/**
 * Drops every header by which a caller could claim something: ours, their underscore variants, and what `Connection`
 * nominates.
 */
export function stripTrustHeaders(headers: IncomingHttpHeaders): void {
  dropHopByHop(headers);
  for (const name in headers) {
    const folded = foldedName(name);
    // A credential under a folded name would reach a service, and its log, in clear.
    if (TRUST.test(folded) || (folded !== name && CREDENTIALS.has(folded))) delete headers[name];
  }
}

/** Drops an upstream's hop-by-hop headers and those that are between it and the gateway. */
export function stripResponseHeaders(headers: IncomingHttpHeaders): void {
  dropHopByHop(headers);
  for (const name in headers) {
    const folded = foldedName(name);
    if (folded.startsWith('x-cairn-') || folded === 'x-powered-by' || folded === 'server' || folded === 'x-request-id')
      delete headers[name];
  }
}

/** Some servers read underscores as hyphens. */
function foldedName(name: string): string {
  return name.includes('_') ? name.replaceAll('_', '-') : name;
}

function dropHopByHop(headers: IncomingHttpHeaders): void {
  const { connection } = headers;
  // The common value, which nominates no other header.
  if (connection !== undefined && connection !== 'keep-alive')
    for (const token of connection.split(',')) {
      const nominated = token.trim().toLowerCase();
      if (!PROTECTED_HEADERS.has(nominated)) delete headers[nominated];
    }
  for (const name of HOP_BY_HOP) if (headers[name] !== undefined) delete headers[name];
}

/**
 * True when a header that must be single was sent several times. Node joins or drops duplicates; the raw list has them.
 */
export function hasDuplicate(request: IncomingMessage, names: readonly string[]): boolean {
  const seen = new Set<string>();
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]!.toLowerCase();
    if (!names.includes(name)) continue;
    if (seen.has(name)) return true;
    seen.add(name);
  }
  return false;
}
