import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GuardedOperation, Operation, ServiceName } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { IDENTITY_HEADER, missingPermission, type ServiceTokenSource } from '@cairn/identity';
import { within } from '@cairn/telemetry';
import {
  assertBodyFits,
  assertWellFormedHead,
  bodyMaxBytesOf,
  countBody,
  expectsContinue,
  hasBody,
  tooLarge,
} from './admission/request-bounds.ts';
import { clientAddressOf } from './admission/client-address.ts';
import { takeCredential, takeTicket } from './admission/credential.ts';
import type { CredentialResolver } from './admission/credential-resolver.ts';
import type { Destination, Forwarder, Forwarding } from './forwarding/forwarder.ts';
import type { IdentityTokens } from './admission/identity-tokens.ts';
import { assertHostPermits, type HostMemory } from './admission/memory-host.ts';
import { admitPublic, type PublicAdmissionDeps } from './admission/public-admission.ts';
import {
  endGracefully,
  useChallenge,
  useOAuthErrors,
  sendProblem,
  writeProblemToSocket,
} from './responses/problem-response.ts';
import { type CallerTraces, type ObservedRequest, observeRequest } from './observed-request.ts';
import type { Limits } from './limits/limits.ts';
import type { OverloadControl } from './limits/overload.ts';
import { weightOf } from './limits/request-weight.ts';
import type { RefusalLimiter } from './limits/refusal-limiter.ts';
import { mcpChallenge } from './admission/mcp-challenge.ts';
import { requestIdOf } from './admission/request-id.ts';
import type { RouteTable } from './admission/route-table.ts';
import type { SessionCookies } from './admission/session-cookie.ts';
import { stripTrustHeaders } from './admission/trust-headers.ts';
import type { UsageReports } from './limits/usage-reports.ts';
import type { Epoch, Membership } from './revocation/membership.ts';
import { addressAllowed, type AuthContext } from './admission/auth-context.ts';

export interface PipelineDeps extends PublicAdmissionDeps {
  routes: RouteTable;
  destinations: Readonly<Record<ServiceName, Destination>>;
  credentials: CredentialResolver;
  sessions: SessionCookies;
  membership: Pick<Membership, 'epoch' | 'register'>;
  tokens: IdentityTokens;
  limits: Pick<Limits, 'take'>;
  overload: Pick<OverloadControl, 'take'>;
  refusals: RefusalLimiter;
  /** Signs as the gateway itself, for requests without a credential. */
  ownToken: ServiceTokenSource;
  usage: UsageReports;
  forwarder: Forwarder;
  trustedProxies: number;
  /** Under which callers know the gateway. */
  baseUrl: () => string;
  callerTraces: CallerTraces;
  onFailure: (error: unknown, request: IncomingMessage) => void;
}

/** Much longer than a draw usually takes. */
const AUTHORIZED_AGAIN_AFTER_MS = 250;

interface Admitted {
  operation: Operation;
  /** Who was admitted, and in which epoch; null for a public operation. */
  caller: { auth: AuthContext; since: Epoch } | null;
  /** Headers of the response besides the service's own. */
  responseHeaders: Record<string, string>;
}

/** Forwards one HTTP request, or refuses it. Every public route passes through here. Never rejects. */
export async function handleRequest(
  deps: PipelineDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = requestIdOf(request.headers);
  request.headers['x-request-id'] = requestId;
  response.setHeader('x-request-id', requestId);
  const address = clientAddressOf(request, deps.trustedProxies);
  const observed = observeRequest(request, response, observing(deps));
  try {
    const { operation, responseHeaders, caller } = await admit(deps, request, {
      address,
      observed,
      takesSessions: true,
    });
    // The client may have disconnected meanwhile.
    if (response.destroyed) return;
    for (const [name, value] of Object.entries(responseHeaders)) response.setHeader(name, value);
    let forwarding: Forwarding | undefined;
    const maxBytes = bodyMaxBytesOf(operation, request);
    countBody(request, maxBytes, () => {
      forwarding?.abandon();
      sendProblem(request, response, tooLarge(maxBytes));
    });
    if (expectsContinue(request)) response.writeContinue();
    delete request.headers.expect;
    observed.forwarded();
    const streams = operation.response.kind === 'stream';
    forwarding = deps.forwarder.http(request, response, deps.destinations[operation.service], streams);
    if (streams) closeWithCredential(deps, caller, response, forwarding);
  } catch (error) {
    const send = (headers: Record<string, string>) => sendProblem(request, response, error, headers);
    deps.refusals.respond(address, error, () => refuse(deps, request, error, response, send));
  }
}

/** The same for a request to upgrade to a WebSocket. Never rejects. */
export async function handleUpgrade(
  deps: PipelineDeps,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const requestId = requestIdOf(request.headers);
  request.headers['x-request-id'] = requestId;
  // Without a listener a reset would end the process.
  socket.on('error', () => undefined);
  const address = clientAddressOf(request, deps.trustedProxies);
  const observed = observeRequest(request, socket, observing(deps));
  try {
    // Its bytes would be read as frames behind this hop, and as a body before it.
    if (hasBody(request)) throw new CairnError('malformed_request', 'A request to upgrade has no body.');
    if (request.method !== 'GET') throw new CairnError('malformed_request', 'A request to upgrade is a GET.');
    // A page that opens a WebSocket has a ticket for it.
    const { operation, caller } = await admit(deps, request, { address, observed, takesSessions: false });
    if (!socket.writable) return endGracefully(socket);
    // Stripped with the other hop-by-hop headers; this hop makes its own.
    request.headers.connection = 'Upgrade';
    request.headers.upgrade = 'websocket';
    observed.forwarded();
    deps.forwarder.upgrade(request, socket, head, deps.destinations[operation.service]);
    closeWithCredential(deps, caller, socket);
  } catch (error) {
    observed.refused(error);
    const send = (headers: Record<string, string>) =>
      writeProblemToSocket(socket, error, { requestId, accept: request.headers.accept, headers });
    deps.refusals.respond(address, error, () => refuse(deps, request, error, socket, send));
  }
}

/** Two references, as every request makes one. */
function observing({ callerTraces, usage }: PipelineDeps): Parameters<typeof observeRequest>[2] {
  return { callerTraces, answered: usage.answered };
}

/** Timers reach no further, and no connection lasts so long. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** An event stream or a WebSocket outlives its request; it is closed when the credential is revoked or expires. */
function closeWithCredential(
  deps: PipelineDeps,
  caller: Admitted['caller'],
  connection: ServerResponse | Duplex,
  forwarding?: Forwarding,
): void {
  if (caller === null) return;
  const close = () => {
    forwarding?.abandon();
    connection.destroy();
  };
  const { auth, since } = caller;
  const unregister = deps.membership.register(auth, since, close);
  const leftMs = Math.min(auth.expiresAtMs, auth.revokesAtMs) - Date.now();
  const expiry = leftMs > TIMER_MAX_MS ? undefined : setTimeout(close, Math.max(leftMs, 0)).unref();
  connection.once('close', () => {
    unregister();
    clearTimeout(expiry);
  });
}

/**
 * The steps in the documented order: bounds, trust headers, credential, host and memory binding, address, scopes and
 * permissions, overload, rate, quota, identity. Throws the caller's error; returns what is needed to forward the request.
 */
async function admit(
  deps: PipelineDeps,
  request: IncomingMessage,
  { address, observed, takesSessions }: { address: string; observed: ObservedRequest; takesSessions: boolean },
): Promise<Admitted> {
  assertWellFormedHead(request);
  const operation = routeOf(deps.routes, request);
  observed.setOperation(operation);
  if (operation.credential === 'none' && operation.speaks === 'oauth') useOAuthErrors(request);
  if (operation.response.kind === 'mcp') useChallenge(request, mcpChallenge(deps.baseUrl(), request));
  assertBodyFits(request, bodyMaxBytesOf(operation, request));

  const host = request.headers.host ?? '';
  const cookie = takesSessions && !deps.hosts.isMemoryHost(host) ? request.headers.cookie : undefined;
  stripTrustHeaders(request.headers);

  let responseHeaders: Record<string, string>;
  let caller: Admitted['caller'] = null;
  if (operation.credential === 'none') {
    responseHeaders = admitPublic(deps, request, operation, { address, host });
    // Proves that the request came from the gateway, and names no tenant.
    request.headers[IDENTITY_HEADER] = await deps.ownToken(operation.service);
  } else {
    const admitted = within(observed.context, () =>
      admitCaller(deps, request, operation, { address, host, cookie, observed }),
    );
    ({ responseHeaders, caller } = await admitted);
  }
  request.headers['x-forwarded-for'] = address;
  request.headers['x-forwarded-host'] = host;
  request.headers['x-forwarded-proto'] = 'encrypted' in request.socket ? 'https' : 'http';
  return { operation, responseHeaders, caller };
}

/** For every operation that is not declared public. */
async function admitCaller(
  deps: PipelineDeps,
  request: IncomingMessage,
  operation: GuardedOperation,
  { address, host, cookie, observed }: From & { cookie: string | undefined; observed: ObservedRequest },
): Promise<Pick<Admitted, 'responseHeaders' | 'caller'>> {
  const resolve = resolverOf(deps, request, operation, { address, cookie });
  let authorization = await authorize(deps, resolve, operation, { address, host });
  observed.calledBy(authorization.caller.auth.identity);
  deps.overload.take(authorization.caller.auth.payerId, operation.service, weightOf(operation, request));
  const taken = deps.limits.take(authorization.caller.auth);
  let responseHeaders: Record<string, string>;
  if (taken instanceof Promise) {
    const waitingSinceMs = performance.now();
    responseHeaders = await taken;
    // The draw was slow, so the credential is checked again; no identity was issued that could have expired meanwhile.
    if (performance.now() - waitingSinceMs >= AUTHORIZED_AGAIN_AFTER_MS)
      authorization = await authorize(deps, resolve, operation, { address, host });
  } else responseHeaders = taken;
  const { caller, hostMemory } = authorization;
  // Last, because it is valid for seconds only.
  const hostMemoryId = hostMemory?.memoryId ?? null;
  request.headers[IDENTITY_HEADER] = await deps.tokens.tokenFor(caller.auth, operation.service, hostMemoryId);
  deps.usage.count(caller.auth.identity.keyId);
  return { responseHeaders, caller };
}

interface From {
  address: string;
  host: string;
}

interface Authorization {
  caller: NonNullable<Admitted['caller']>;
  hostMemory: HostMemory | null;
}

/** Authentication and authorization: the steps that refuse with 401 and 403, which count against the address. */
async function authorize(
  deps: PipelineDeps,
  resolve: () => Promise<AuthContext>,
  operation: GuardedOperation,
  from: From,
): Promise<Authorization> {
  try {
    const since = deps.membership.epoch();
    const auth = await resolve();
    const hostMemory = await deps.hosts.find(from.host);
    assertPermitted(auth, hostMemory, operation, from.address);
    return { caller: { auth, since }, hostMemory };
  } catch (error) {
    throw deps.refusals.refused(from.address, error);
  }
}

function assertPermitted(
  auth: AuthContext,
  hostMemory: HostMemory | null,
  operation: GuardedOperation,
  address: string,
): void {
  const { identity } = auth;
  if (hostMemory !== null) assertHostPermits(hostMemory, identity, operation);
  if (identity.memoryId !== null && operation.reach !== 'memory') {
    throw new CairnError(
      'memory_not_permitted',
      'The key reaches one memory only; this operation is not about a memory.',
    );
  }
  if (!addressAllowed(auth, address))
    throw new CairnError('ip_not_allowed', 'The key may not be used from this address.');
  const missing = missingPermission(identity, operation);
  if (missing !== null) throw new CairnError('permission_denied', `The key lacks ${missing}.`);
}

/**
 * Takes the credential out of the request and returns how to resolve it. A key in a header takes precedence over a
 * ticket in the URL, which is then not forwarded.
 */
function resolverOf(
  { credentials, sessions, refusals }: PipelineDeps,
  request: IncomingMessage,
  operation: GuardedOperation,
  { address, cookie }: { address: string; cookie: string | undefined },
): () => Promise<AuthContext> {
  const beginUnknown = () => refusals.beginLookup(address);
  try {
    const ticket = operation.ticketed === true ? takeTicket(request) : undefined;
    if (ticket !== undefined) return () => credentials.resolveTicket(ticket, beginUnknown);
    const credential = takeCredential(request, () => sessions.sessionOf(request, cookie));
    return () => credentials.resolve(credential, beginUnknown);
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
  throw Object.assign(new CairnError('method_not_allowed', `Use ${allow} here.`), { responseHeaders: { allow } });
}

function refuse(
  deps: PipelineDeps,
  request: IncomingMessage,
  error: unknown,
  connection: { destroy(): unknown },
  send: (headers: Record<string, string>) => void,
): void {
  const known = error instanceof CairnError;
  try {
    if (!known || error.code === 'internal' || error.code === 'unavailable') deps.onFailure(error, request);
    send(known ? ((error as { responseHeaders?: Record<string, string> }).responseHeaders ?? {}) : {});
  } catch (failure) {
    // One caller without a response is better than a gateway that exits for all.
    connection.destroy();
    deps.onFailure(failure, request);
  }
}
