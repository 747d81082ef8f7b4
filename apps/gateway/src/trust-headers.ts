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

// What only the gateway may say. Compared after underscores were made hyphens, because some servers fold them.
const TRUST = /^(?:x-cairn-|x-tenant|x-user|x-forwarded|forwarded$|x-real-ip$|x-original-|x-rewrite-)/;

/** Drops every header that a caller could use to claim something: ours, its underscore variants, and what `Connection` nominates. */
export function stripTrustHeaders(headers: IncomingHttpHeaders): void {
  for (const nominated of nominatedByConnection(headers.connection)) {
    // Framing and the credential are not the caller's to take away.
    if (nominated !== 'content-length' && nominated !== 'transfer-encoding' && nominated !== 'host') delete headers[nominated];
  }
  for (const name of Object.keys(headers)) {
    if (TRUST.test(name.replaceAll('_', '-'))) delete headers[name];
  }
  for (const name of HOP_BY_HOP) delete headers[name];
}

/** Drops an upstream's hop-by-hop headers and whatever it says in our name. */
export function stripAnswerHeaders(headers: IncomingHttpHeaders): void {
  for (const nominated of nominatedByConnection(headers.connection)) {
    if (nominated !== 'content-length' && nominated !== 'transfer-encoding') delete headers[nominated];
  }
  for (const name of HOP_BY_HOP) delete headers[name];
  for (const name of Object.keys(headers)) {
    if (name.startsWith('x-cairn-') || name === 'x-powered-by' || name === 'server') delete headers[name];
  }
}

function nominatedByConnection(connection: string | undefined): string[] {
  return (connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'close' && name !== 'keep-alive' && name !== 'upgrade');
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
