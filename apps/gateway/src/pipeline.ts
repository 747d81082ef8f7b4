import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Operation } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { IDENTITY_HEADER, missingPermission } from '@cairn/identity';
import { assertBodyFits, assertWellFormedHead, bodyMaxBytesOf, countBody, tooLarge } from './bounds.ts';
import { clientAddressOf } from './client-address.ts';
import { takeCredential } from './credential.ts';
import type { CredentialCache } from './credential-cache.ts';
import type { Forwarder } from './forwarder.ts';
import type { IdentityTokens } from './identity-tokens.ts';
import { assertHostPermits, type MemoryHosts } from './memory-host.ts';
import { sendProblem, writeProblemToSocket } from './problem-response.ts';
import { rateHeaders, rateLimited, type RateLimiter } from './rate-limiter.ts';
import { requestIdOf } from './request-id.ts';
import type { RouteTable, Upstreams } from './route-table.ts';
import { stripTrustHeaders } from './trust-headers.ts';
import { addressAllowed } from './verdict.ts';

export interface PipelineParts {
  routes: RouteTable;
  upstreams: Upstreams;
  credentials: CredentialCache;
  hosts: MemoryHosts;
  tokens: IdentityTokens;
  limiter: RateLimiter;
  forwarder: Forwarder;
  trustedProxies: number;
  onFailure: (error: unknown, request: IncomingMessage) => void;
}

interface Admitted {
  operation: Operation;
  /** Headers of the answer besides the service's own. */
  answerHeaders: Record<string, string>;
}

/** Lets one HTTP request through, or refuses it. Every public route comes this way. */
export async function handleRequest(parts: PipelineParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = requestIdOf(request.headers);
  request.headers['x-request-id'] = requestId;
  response.setHeader('x-request-id', requestId);
  try {
    const { operation, answerHeaders } = await admit(parts, request);
    for (const [name, value] of Object.entries(answerHeaders)) response.setHeader(name, value);
    const maxBytes = bodyMaxBytesOf(operation);
    countBody(request, maxBytes, () => sendProblem(request, response, tooLarge(maxBytes)));
    if (response.destroyed) return;
    if (request.headers.expect === '100-continue') response.writeContinue();
    delete request.headers.expect;
    parts.forwarder.http(request, response, parts.upstreams[operation.service]);
  } catch (error) {
    refuse(parts, request, error, (headers) => sendProblem(request, response, error, headers));
  }
}

/** The same for a connection that asks to become a WebSocket. */
export async function handleUpgrade(parts: PipelineParts, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  request.headers['x-request-id'] = requestIdOf(request.headers);
  socket.on('error', () => undefined);
  try {
    const wanted = request.headers.upgrade;
    if (wanted?.toLowerCase() !== 'websocket') throw new CairnError('malformed_request', 'Only WebSocket upgrades are served.');
    const { operation } = await admit(parts, request);
    // Stripped with the other hop-by-hop headers; this hop makes its own.
    request.headers.connection = 'Upgrade';
    request.headers.upgrade = 'websocket';
    parts.forwarder.upgrade(request, socket, head, parts.upstreams[operation.service]);
  } catch (error) {
    refuse(parts, request, error, () => writeProblemToSocket(socket, error, request));
  }
}

/**
 * The steps, in the order of the interface: bounds, trust headers, credential, host and memory binding,
 * address, scopes and permissions, identity, rate. Throws the caller's error; returns what may go on.
 */
async function admit(parts: PipelineParts, request: IncomingMessage): Promise<Admitted> {
  assertWellFormedHead(request);
  const operation = routeOf(parts.routes, request);
  assertBodyFits(request, bodyMaxBytesOf(operation));

  const address = clientAddressOf(request, parts.trustedProxies);
  const host = request.headers.host ?? '';
  stripTrustHeaders(request.headers);

  const verdict = await parts.credentials.resolve(takeCredential(request));

  const { identity } = verdict;
  const hostMemory = await parts.hosts.find(host);
  if (hostMemory !== null) assertHostPermits(hostMemory, identity, operation);
  if (identity.memoryId !== null && operation.reach !== 'memory') {
    throw new CairnError('memory_not_permitted', 'The key reaches one memory only; this operation is not about a memory.');
  }

  if (!addressAllowed(verdict, address)) throw new CairnError('ip_not_allowed', 'The key may not be used from this address.');

  const missing = missingPermission(identity, operation);
  if (missing !== null) throw new CairnError('permission_denied', `The key lacks ${missing}.`);

  request.headers[IDENTITY_HEADER] = await parts.tokens.tokenFor(verdict, hostMemory?.memoryId ?? null);
  request.headers['x-forwarded-for'] = address;
  request.headers['x-forwarded-host'] = host;
  request.headers['x-forwarded-proto'] = 'encrypted' in request.socket ? 'https' : 'http';

  const decision = parts.limiter.take(identity.keyId, verdict);
  const answerHeaders = rateHeaders(decision, verdict);
  if (!decision.allowed) throw Object.assign(rateLimited(decision), { answerHeaders });
  return { operation, answerHeaders };
}

function routeOf(routes: RouteTable, request: IncomingMessage): Operation {
  const path = (request.url ?? '').split('?', 1)[0]!;
  const match = routes.match(request.method ?? '', path);
  if (match.kind === 'operation') return match.operation;
  if (match.kind === 'none') throw new CairnError('not_found', 'There is no such operation.');
  const error = new CairnError('method_not_allowed', `Use ${match.allow.join(', ')} here.`);
  throw Object.assign(error, { answerHeaders: { allow: match.allow.join(', ') } });
}

function refuse(parts: PipelineParts, request: IncomingMessage, error: unknown, answer: (headers: Record<string, string>) => void): void {
  const known = error instanceof CairnError;
  if (!known || error.code === 'internal' || error.code === 'unavailable') parts.onFailure(error, request);
  answer(known ? ((error as { answerHeaders?: Record<string, string> }).answerHeaders ?? {}) : {});
}
