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

// What only the gateway may say, what other proxies are believed for, what would make a service see another method or
// path than the one that was let through, and cookies, which no operation reads and a browser sends by itself. Names
// are compared with underscores made hyphens: some servers fold them.
const TRUST =
  /^(?:x-cairn-|x-tenant|x-user|x-forwarded|forwarded$|x-real-ip$|x-client-ip$|x-cluster-client-ip$|true-client-ip$|cf-connecting-ip$|x-original-|x-rewrite-|x-http-method|x-method-override$|proxy$|cookie2?$)/;
const CREDENTIALS: ReadonlySet<string> = new Set(['x-api-key', 'authorization']);

// Framing, and what is the gateway's own by then, are not the caller's to take away.
const NEVER_NOMINATED: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'host', 'x-request-id']);

/** Drops every header that a caller could use to claim something: ours, its underscore variants, and what `Connection` nominates. */
export function stripTrustHeaders(headers: IncomingHttpHeaders): void {
  dropHopByHop(headers);
  for (const name in headers) {
    const folded = foldedName(name);
    // A credential under a folded name would reach a service, and its log, as it is.
    if (TRUST.test(folded) || (folded !== name && CREDENTIALS.has(folded))) delete headers[name];
  }
}

/** Drops an upstream's hop-by-hop headers and whatever it says in our name. */
export function stripAnswerHeaders(headers: IncomingHttpHeaders): void {
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
  // What nearly every client and service sends nominates nothing else.
  if (connection !== undefined && connection !== 'keep-alive')
    for (const token of connection.split(',')) {
      const nominated = token.trim().toLowerCase();
      if (!NEVER_NOMINATED.has(nominated)) delete headers[nominated];
    }
  for (const name of HOP_BY_HOP) if (headers[name] !== undefined) delete headers[name];
}

/** True when a header that must be one came several times. Node joins or drops duplicates, so only the raw list tells. */
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
