import { type IncomingMessage } from 'node:http';
import type { OpenOperation } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { MemoryHosts } from './memory-host.ts';
import type { AddressLimiter } from './limits/address-limiter.ts';
import { rateHeaders, rateLimited } from './limits/rate-headers.ts';
import { hasDuplicate } from './trust-headers.ts';

/** Seconds of the rate that a caller may take at once. */
const BURST_SECONDS = 5;

export interface OpenAdmissionParts {
  hosts: MemoryHosts;
  /** Its own, so that addresses, of which there are many, push out no key. */
  openLimiter: AddressLimiter;
  openRequestsPerSecond: number;
}

/**
 * Lets in a caller that has no credential yet, to an operation that says it needs none: bounded by the address, with
 * no credential going on but a client's own for this operation. Gives the headers of the answer.
 */
export function admitAnyone(
  parts: OpenAdmissionParts,
  request: IncomingMessage,
  _operation: OpenOperation,
  caller: { address: string; host: string },
): Record<string, string> {
  if (parts.hosts.isMemoryHost(caller.host)) throw notFound('The operation');
  keepClientAuthentication(request);
  const limit = {
    requestsPerSecond: parts.openRequestsPerSecond,
    burst: Math.max(1, Math.ceil(parts.openRequestsPerSecond * BURST_SECONDS)),
  };
  const decision = parts.openLimiter.take(caller.address, limit);
  const answerHeaders = rateHeaders(decision, limit);
  if (!decision.allowed)
    throw rateLimited(decision, 'Too many unauthenticated requests from this address.', answerHeaders);
  return answerHeaders;
}

/** A key has no business at a service; what an OAuth client authenticates by is for the service to judge. */
function keepClientAuthentication(request: IncomingMessage): void {
  const { headers } = request;
  delete headers['x-api-key'];
  if (hasDuplicate(request, ['authorization']))
    throw new CairnError('malformed_request', 'The request authenticates more than once.');
  if (headers.authorization !== undefined && !/^Basic /i.test(headers.authorization)) delete headers.authorization;
}
