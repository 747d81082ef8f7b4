import { type IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { OpenOperation } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import ipaddr from 'ipaddr.js';
import type { MemoryHosts } from './memory-host.ts';
import { rateHeaders, rateLimited, type RateLimiter } from './limits/rate-limiter.ts';
import { hasDuplicate } from './trust-headers.ts';

/** Seconds of the rate that a caller may take at once. */
const BURST_SECONDS = 5;
const IPV6_NETWORK_GROUPS = 4;

export interface OpenAdmissionParts {
  hosts: MemoryHosts;
  /** Its own, so that addresses, of which there are many, push out no key. */
  openLimiter: RateLimiter;
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
  const decision = parts.openLimiter.take(networkOf(caller.address), limit);
  const answerHeaders = rateHeaders(decision, limit);
  if (!decision.allowed) {
    const error = rateLimited(decision, 'More requests come from this address than may without a key.');
    throw Object.assign(error, { answerHeaders });
  }
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

/** Whoever has one IPv6 address has the 64 bits below it, too. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts.slice(0, IPV6_NETWORK_GROUPS).join(':');
}
