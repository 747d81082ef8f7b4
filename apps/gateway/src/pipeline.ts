import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GuardedOperation, Operation, ServiceName } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { IDENTITY_HEADER, missingPermission, type ServiceTokenSource } from '@cairn/identity';
import {
  assertBodyFits,
  assertWellFormedHead,
  bodyMaxBytesOf,
  countBody,
  expectsContinue,
  hasBody,
  tooLarge,
} from './bounds.ts';
import { clientAddressOf } from './client-address.ts';
import { takeCredential, takeTicket } from './credential.ts';
import type { CredentialCache } from './credential-cache.ts';
import type { Destination, Forwarder, Forwarding } from './forwarding/forwarder.ts';
import type { IdentityTokens } from './identity-tokens.ts';
import { assertHostPermits, type HostMemory } from './memory-host.ts';
import { admitAnyone, type OpenAdmissionParts } from './open-admission.ts';
import { endSoon, sayProblemsAsOAuth, sendProblem, writeProblemToSocket } from './problem-response.ts';
import type { Limits } from './limits/limits.ts';
import type { RefusalLimiter } from './limits/refusal-limiter.ts';
import type { RefusalPace } from './limits/refusal-pace.ts';
import { requestIdOf } from './request-id.ts';
import type { RouteTable } from './route-table.ts';
import { stripTrustHeaders } from './trust-headers.ts';
import type { UsageReports } from './usage-reports.ts';
import type { Membership, Moment } from './revocation/membership.ts';
import { addressAllowed, type Verdict } from './verdict.ts';

export interface PipelineParts extends OpenAdmissionParts {
  routes: RouteTable;
  destinations: Readonly<Record<ServiceName, Destination>>;
  credentials: CredentialCache;
  membership: Pick<Membership, 'moment' | 'track'>;
  tokens: IdentityTokens;
  limits: Pick<Limits, 'take'>;
  refusals: RefusalLimiter;
  pace: RefusalPace;
  /** The gateway's own signed word. */
  ownToken: ServiceTokenSource;
  usage: UsageReports;
  forwarder: Forwarder;
  trustedProxies: number;
  onFailure: (error: unknown, request: IncomingMessage) => void;
}

/** Much longer than a draw takes that is not held up. */
const JUDGED_AGAIN_AFTER_MS = 250;

interface Admitted {
  operation: Operation;
  /** Who was admitted, and when; null for what needs no credential. */
  caller: { verdict: Verdict; since: Moment } | null;
  /** Headers of the answer besides the service's own. */
  answerHeaders: Record<string, string>;
}

/** Lets one HTTP request through, or refuses it. Every public route comes this way. Never rejects. */
export async function handleRequest(
  parts: PipelineParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = requestIdOf(request.headers);
  request.headers['x-request-id'] = requestId;
  response.setHeader('x-request-id', requestId);
  const address = clientAddressOf(request, parts.trustedProxies);
  try {
    const { operation, answerHeaders, caller } = await admit(parts, request, address);
    // The client may have gone while others were asked about it.
    if (response.destroyed) return;
    for (const [name, value] of Object.entries(answerHeaders)) response.setHeader(name, value);
    let forwarding: Forwarding | undefined;
    const maxBytes = bodyMaxBytesOf(operation, request);
    countBody(request, maxBytes, () => {
      forwarding?.abandon();
      sendProblem(request, response, tooLarge(maxBytes));
    });
    if (expectsContinue(request)) response.writeContinue();
    delete request.headers.expect;
    const streams = operation.answer.kind === 'stream';
    forwarding = parts.forwarder.http(request, response, parts.destinations[operation.service], streams);
    if (streams) endWithCredential(parts, caller, response, forwarding);
  } catch (error) {
    const answer = (headers: Record<string, string>) => sendProblem(request, response, error, headers);
    parts.pace.answer(address, error, () => refuse(parts, request, error, response, answer));
  }
}

/** The same for a connection that asks to become a WebSocket. Never rejects. */
export async function handleUpgrade(
  parts: PipelineParts,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const requestId = requestIdOf(request.headers);
  request.headers['x-request-id'] = requestId;
  // Without a listener a reset would end the process.
  socket.on('error', () => undefined);
  const address = clientAddressOf(request, parts.trustedProxies);
  try {
    // Its bytes would be taken for frames behind this hop, and for a body before it.
    if (hasBody(request)) throw new CairnError('malformed_request', 'A request to upgrade has no body.');
    if (request.method !== 'GET') throw new CairnError('malformed_request', 'A request to upgrade is a GET.');
    const { operation, caller } = await admit(parts, request, address);
    if (!socket.writable) return endSoon(socket);
    // Stripped with the other hop-by-hop headers; this hop makes its own.
    request.headers.connection = 'Upgrade';
    request.headers.upgrade = 'websocket';
    parts.forwarder.upgrade(request, socket, head, parts.destinations[operation.service]);
    endWithCredential(parts, caller, socket);
  } catch (error) {
    const answer = (headers: Record<string, string>) =>
      writeProblemToSocket(socket, error, { requestId, accept: request.headers.accept, headers });
    parts.pace.answer(address, error, () => refuse(parts, request, error, socket, answer));
  }
}

/** An event stream or a WebSocket goes on after its request; it ends when the credential does. */
function endWithCredential(
  parts: PipelineParts,
  caller: Admitted['caller'],
  connection: ServerResponse | Duplex,
  forwarding?: Forwarding,
): void {
  if (caller === null) return;
  const forget = parts.membership.track(caller.verdict, caller.since, () => {
    forwarding?.abandon();
    connection.destroy();
  });
  connection.once('close', forget);
}

/**
 * The steps, in the order of the interface: bounds, trust headers, credential, host and memory binding,
 * address, scopes and permissions, rate, quota, identity. Throws the caller's error; returns what may go on.
 */
async function admit(parts: PipelineParts, request: IncomingMessage, address: string): Promise<Admitted> {
  assertWellFormedHead(request);
  const operation = routeOf(parts.routes, request);
  if (operation.credential === 'none' && operation.speaks === 'oauth') sayProblemsAsOAuth(request);
  assertBodyFits(request, bodyMaxBytesOf(operation, request));

  const host = request.headers.host ?? '';
  stripTrustHeaders(request.headers);

  let answerHeaders: Record<string, string>;
  let caller: Admitted['caller'] = null;
  if (operation.credential === 'none') {
    answerHeaders = admitAnyone(parts, request, operation, { address, host });
    // Says that the request came this way, and nobody's name.
    request.headers[IDENTITY_HEADER] = await parts.ownToken(operation.service);
  } else {
    ({ answerHeaders, caller } = await admitCaller(parts, request, operation, { address, host }));
  }
  request.headers['x-forwarded-for'] = address;
  request.headers['x-forwarded-host'] = host;
  request.headers['x-forwarded-proto'] = 'encrypted' in request.socket ? 'https' : 'http';
  return { operation, answerHeaders, caller };
}

/** Every operation comes here that does not say that it needs no credential. */
async function admitCaller(
  parts: PipelineParts,
  request: IncomingMessage,
  operation: GuardedOperation,
  { address, host }: { address: string; host: string },
): Promise<Pick<Admitted, 'answerHeaders' | 'caller'>> {
  const resolve = resolverOf(parts, request, operation, address);
  let admission = await authorize(parts, resolve, operation, { address, host });
  const taken = parts.limits.take(admission.caller.verdict);
  let answerHeaders: Record<string, string>;
  if (taken instanceof Promise) {
    const waitingSinceMs = performance.now();
    answerHeaders = await taken;
    // Keys was slow, so what was known before is judged again; no identity was minted that would end meanwhile.
    if (performance.now() - waitingSinceMs >= JUDGED_AGAIN_AFTER_MS)
      admission = await authorize(parts, resolve, operation, { address, host });
  } else answerHeaders = taken;
  const { caller, hostMemory } = admission;
  // Last, because it is good for seconds only.
  const hostMemoryId = hostMemory?.memoryId ?? null;
  request.headers[IDENTITY_HEADER] = await parts.tokens.tokenFor(caller.verdict, operation.service, hostMemoryId);
  parts.usage.count(caller.verdict.identity.keyId);
  return { answerHeaders, caller };
}

interface Authorization {
  caller: NonNullable<Admitted['caller']>;
  hostMemory: HostMemory | null;
}

/** Who calls, and that they may: the steps that refuse with 401 and 403, which count against the address. */
async function authorize(
  parts: PipelineParts,
  resolve: () => Promise<Verdict>,
  operation: GuardedOperation,
  from: { address: string; host: string },
): Promise<Authorization> {
  try {
    const since = parts.membership.moment();
    const verdict = await resolve();
    const hostMemory = await parts.hosts.find(from.host);
    assertPermitted(verdict, hostMemory, operation, from.address);
    return { caller: { verdict, since }, hostMemory };
  } catch (error) {
    throw parts.refusals.refused(from.address, error);
  }
}

function assertPermitted(
  verdict: Verdict,
  hostMemory: HostMemory | null,
  operation: GuardedOperation,
  address: string,
): void {
  const { identity } = verdict;
  if (hostMemory !== null) assertHostPermits(hostMemory, identity, operation);
  if (identity.memoryId !== null && operation.reach !== 'memory') {
    throw new CairnError(
      'memory_not_permitted',
      'The key reaches one memory only; this operation is not about a memory.',
    );
  }
  if (!addressAllowed(verdict, address))
    throw new CairnError('ip_not_allowed', 'The key may not be used from this address.');
  const missing = missingPermission(identity, operation);
  if (missing !== null) throw new CairnError('permission_denied', `The key lacks ${missing}.`);
}

/**
 * Takes the credential out of the request and returns how to judge it. A key that is sent wins over a ticket in the
 * address, which then goes no further.
 */
function resolverOf(
  { credentials, refusals }: PipelineParts,
  request: IncomingMessage,
  operation: GuardedOperation,
  address: string,
): () => Promise<Verdict> {
  const beginStranger = () => refusals.beginLookup(address);
  try {
    const ticket = operation.ticketed === true ? takeTicket(request) : undefined;
    if (ticket !== undefined) return () => credentials.resolveTicket(ticket, beginStranger);
    const credential = takeCredential(request);
    return () => credentials.resolve(credential, beginStranger);
  } catch (error) {
    throw refusals.refused(address, error);
  }
}

function routeOf(routes: RouteTable, request: IncomingMessage): Operation {
  const path = (request.url ?? '').split('?', 1)[0]!;
  const match = routes.match(request.method ?? '', path);
  if (match.kind === 'operation') return match.operation;
  if (match.kind === 'none') throw new CairnError('not_found', 'There is no such operation.');
  const allow = match.allow.join(', ');
  throw Object.assign(new CairnError('method_not_allowed', `Use ${allow} here.`), { answerHeaders: { allow } });
}

function refuse(
  parts: PipelineParts,
  request: IncomingMessage,
  error: unknown,
  connection: { destroy(): unknown },
  answer: (headers: Record<string, string>) => void,
): void {
  const known = error instanceof CairnError;
  try {
    if (!known || error.code === 'internal' || error.code === 'unavailable') parts.onFailure(error, request);
    answer(known ? ((error as { answerHeaders?: Record<string, string> }).answerHeaders ?? {}) : {});
  } catch (failure) {
    // A caller left without an answer is better than a gateway that ends for all.
    connection.destroy();
    parts.onFailure(failure, request);
  }
}
