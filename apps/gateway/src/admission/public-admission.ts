import { type IncomingMessage } from 'node:http';
import type { PublicOperation } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { SessionCookies } from './session-cookie.ts';
import type { MemoryHosts } from './memory-host.ts';
import type { AddressLimiter } from '../limits/address-limiter.ts';
import { rateHeaders, rateLimited } from '../limits/rate-headers.ts';
import { hasDuplicate } from './trust-headers.ts';

/** Seconds of the rate that a caller may use at once. */
const BURST_SECONDS = 5;

export interface PublicAdmissionDeps {
  hosts: MemoryHosts;
  sessions: Pick<SessionCookies, 'assertNoForeignPage'>;
  publicLimiter: AddressLimiter;
  publicRequestsPerSecond: number;
}

/**
 * Admits a caller without a credential to a public operation: limited by the address, and with no credential forwarded
 * but the OAuth client's own. Returns headers for the response.
 */
export function admitPublic(
  deps: PublicAdmissionDeps,
  request: IncomingMessage,
  operation: PublicOperation,
  caller: { address: string; host: string },
): Record<string, string> {
  if (deps.hosts.isMemoryHost(caller.host)) throw notFound('The operation');
  allowClientAuthentication(request);
  const limit = {
    requestsPerSecond: deps.publicRequestsPerSecond,
    burst: Math.max(1, Math.ceil(deps.publicRequestsPerSecond * BURST_SECONDS)),
  };
  const decision = deps.publicLimiter.take(caller.address, limit);
  const responseHeaders = rateHeaders(decision, limit);
  if (!decision.allowed)
    throw rateLimited(decision, 'Too many unauthenticated requests from this address.', responseHeaders);
  if (operation.sameOrigin === true) deps.sessions.assertNoForeignPage(request);
  return responseHeaders;
}

/** A key is never forwarded; the credentials of an OAuth client are for the service to verify. */
function allowClientAuthentication(request: IncomingMessage): void {
  const { headers } = request;
  delete headers['x-api-key'];
  if (hasDuplicate(request, ['authorization']))
    throw new CairnError('malformed_request', 'The request authenticates more than once.');
  if (headers.authorization !== undefined && !/^Basic /i.test(headers.authorization)) delete headers.authorization;
}
