import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { AllowanceService, Denial, KeysService, SERVICE_NAMES, TenancyService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { createServiceTokenSource, type TokenVerifier } from '@cairn/identity';
import {
  closeInReverse,
  ConfigError,
  type HttpBounds,
  type HttpListener,
  type InternalTls,
  listenGrpc,
  listenHttp,
  type Logger,
  openInternalTls,
  readIdentityKeys,
  readRequestBinders,
  rpcClient,
  type RpcClient,
  type StartedService,
  VERSION,
} from '@cairn/service-kit';
import type { Config } from './config.ts';
import { createCredentialResolver, createKeysLookup } from './admission/credential-resolver.ts';
import { createHpmForwarder } from './forwarding/forward-with-hpm.ts';
import { createUndiciForwarder } from './forwarding/forward-with-undici.ts';
import { createReplicaDirectory } from './forwarding/replicas.ts';
import { readConsole } from './console/read-console.ts';
import { DocsFolder } from './docs/docs-folder.ts';
import { createIdentityTokens } from './admission/identity-tokens.ts';
import { startLimits } from './limits/limits.ts';
import {
  type ConnectionBounds,
  connectionsWithinDescriptors,
  fileDescriptorsMax,
  limitConnections,
} from './limits/connection-limiter.ts';
import { createOverloadControl, type OverloadControl } from './limits/overload.ts';
import { createRefusalLimiter } from './limits/refusal-limiter.ts';
import { createClientErrorHandler } from './responses/client-error-handler.ts';
import { assertBaseIsNoMemory, createMemoryHosts } from './admission/memory-host.ts';
import { isPagePath, pagesApp } from './pages.ts';
import { handleRequest, handleUpgrade, type PipelineDeps } from './pipeline.ts';
import { endGracefully, writeProblemToSocket } from './responses/problem-response.ts';
import { createAddressLimiter } from './limits/address-limiter.ts';
import { createReadiness } from './readiness.ts';
import { requestIdOf } from './admission/request-id.ts';
import { type Membership, startMembership } from './revocation/membership.ts';
import { rpcServices } from './revocation/rpc.ts';
import { SessionCookies } from './admission/session-cookie.ts';
import { createRouteTable, type Upstreams } from './admission/route-table.ts';
import { createUsageReports } from './limits/usage-reports.ts';

const BOUNDS: Partial<HttpBounds> = {
  // Longer than a service may be silent; a stream's heartbeats come every 15 s.
  idleTimeoutMs: 120_000,
};

const SERVER_OPTIONS = {
  // The pipeline responds to a missing Host header.
  requireHostHeader: false,
  // Any other upgrade, like that to HTTP/2 which some clients offer with every request, may be ignored.
  shouldUpgradeCallback: (request: IncomingMessage) => request.headers.upgrade?.toLowerCase() === 'websocket',
};

/** Constructs the gateway and starts it. It owns no database. */
export async function startGateway(
  config: Config,
  logger: Logger,
  bounds: Partial<HttpBounds> = {},
): Promise<StartedService> {
  assertBaseIsNoMemory(config.baseUrl, config.memoryDomain);
  const { signer, verifier, tickets } = await readIdentityKeys(config);
  const serviceToken = createServiceTokenSource(signer, 'gateway');
  const tls = await openInternalTls(config, logger);
  assertSchemes(config, tls !== null);
  const keys = rpcClient(KeysService, config.keysGrpc, serviceToken, tls);
  const allowances = rpcClient(AllowanceService, config.keysGrpc, serviceToken, tls);
  const processId = randomUUID();
  const tenancy = rpcClient(TenancyService, config.tenancyGrpc, serviceToken, tls);
  const onFailure = failureLog(logger);
  const replicas = createReplicaDirectory();
  const forwarder = createUndiciForwarder(onFailure, createHpmForwarder(onFailure, replicas, tls), replicas, tls);
  const usage = createUsageReports({
    keys,
    gatewayId: processId,
    onError: (error) => logger.warn({ err: error }, 'usage reports: keys did not acknowledge a report; retrying'),
  });
  const { membership, grpc } = await joinGateways(config, { keys, verifier, logger, tls });
  const limits = startLimits({ keys: allowances, processId, membership, stateDir: config.stateDir, logger });
  const overload = createOverloadControl({ lateFromMs: config.overloadedFromMs });
  let listening = '';
  const deps: PipelineDeps = {
    routes: createRouteTable(),
    destinations: await destinationsOf(config, overload),
    credentials: createCredentialResolver(membership, tickets),
    sessions: new SessionCookies(config.baseUrl),
    membership,
    hosts: createMemoryHosts(tenancy, config.memoryDomain),
    tokens: createIdentityTokens(signer, () => membership.admitForMs()),
    limits,
    overload,
    refusals: createRefusalLimiter(config.refusedRequestsPerSecond),
    publicLimiter: createAddressLimiter(),
    publicRequestsPerSecond: config.openRequestsPerSecond,
    ownToken: serviceToken,
    usage,
    forwarder,
    trustedProxies: config.trustedProxies,
    baseUrl: () => config.baseUrl ?? listening,
    callerTraces: config.traceCallers,
    onFailure,
  };
  const { http, upgraded } = await listenPublicly(config, deps, { bounds, logger, tls });
  listening = http.url;
  const closing = closeInReverse([
    tls,
    async () => keys.close(),
    async () => allowances.close(),
    async () => tenancy.close(),
    usage,
    limits,
    async () => overload.close(),
    async () => forwarder.close(),
    membership,
    grpc,
    http,
    // The server would wait for upgraded connections, which do not end by themselves.
    async () => upgraded.forEach(endGracefully),
  ]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: closing.close };
}

/** The public server: the gateway's own pages, and the pipeline for everything else. */
async function listenPublicly(
  config: Config,
  deps: PipelineDeps,
  { bounds, logger, tls }: { bounds: Partial<HttpBounds>; logger: Logger; tls: InternalTls | null },
): Promise<{ http: HttpListener; upgraded: ReadonlySet<Duplex> }> {
  const pages = pagesApp({
    version: VERSION,
    baseUrl: deps.baseUrl,
    ready: createReadiness(upstreamsOf(config), tls),
    onFailure: deps.onFailure,
    console: config.consoleDir === undefined ? null : await readConsole(config.consoleDir),
    docs: new DocsFolder(config.docsDir),
  });
  const serve: RequestListener = (request, response) => {
    if (!isOwnPath(request, deps)) return void handleRequest(deps, request, response);
    request.headers['x-request-id'] = requestIdOf(request.headers);
    response.setHeader('x-request-id', request.headers['x-request-id']);
    pages(request, response);
  };
  const options = { ...SERVER_OPTIONS, sharesPort: config.sharesPort };
  const http = await listenHttp(serve, config.httpListen, { ...BOUNDS, ...bounds }, options);
  limitConnections(http.server, connectionBoundsOf(config));
  return { http, upgraded: handleOtherEvents(http.server, serve, deps, logger) };
}

/** Behind proxies of the operator every connection is from one of them, so an address has no bound of its own there. */
function connectionBoundsOf(config: Config): ConnectionBounds {
  return {
    connectionsMax: connectionsWithinDescriptors(config.connectionsMax, fileDescriptorsMax()),
    connectionsPerAddressMax: config.trustedProxies > 0 ? Infinity : config.connectionsPerAddressMax,
  };
}

/** With a certificate of its own the gateway expects the services to have one, too, and without it to have none. */
function assertSchemes(config: Config, isSecured: boolean): void {
  const scheme = isSecured ? 'https:' : 'http:';
  const wrong = Object.entries(upstreamsOf(config)).filter(([, url]) => new URL(url).protocol !== scheme);
  if (wrong.length === 0) return;
  const reason = isSecured ? 'as CAIRN_TLS_CERT_FILE is set' : 'unless CAIRN_TLS_CERT_FILE is set';
  throw new ConfigError(
    wrong.map(([name]) => `CAIRN_${name.toUpperCase()}_HTTP must begin with ${scheme}//, ${reason}`),
  );
}

/** Where each service is. */
function upstreamsOf(config: Config): Upstreams {
  return {
    keys: config.keysHttp,
    tenancy: config.tenancyHttp,
    memory: config.memoryHttp,
    research: config.researchHttp,
    webhooks: config.webhooksHttp,
    usage: config.usageHttp,
  };
}

/** Where requests to each service go, and how they are bound to it. */
async function destinationsOf(config: Config, overload: OverloadControl): Promise<PipelineDeps['destinations']> {
  const upstreams = upstreamsOf(config);
  const binders = await readRequestBinders(config.requestKeysFile, SERVICE_NAMES);
  const destinations = SERVICE_NAMES.map((name) => {
    const isLate = (latenessMs: number) => overload.reported(name, latenessMs);
    return [name, { name, url: upstreams[name], bind: binders[name], isLate }] as const;
  });
  return Object.fromEntries(destinations) as unknown as PipelineDeps['destinations'];
}

/** Joins the protocol of docs/revocation.md: the gRPC server first, so that keys can reach this gateway. */
async function joinGateways(
  config: Config,
  deps: {
    keys: RpcClient<typeof KeysService>;
    verifier: TokenVerifier;
    logger: Logger;
    tls: InternalTls | null;
  },
) {
  const { keys, verifier, logger, tls } = deps;
  let invalidate: Membership['invalidate'] = () => [];
  const grpc = await listenGrpc(
    rpcServices({ invalidate: (invalidation) => invalidate(invalidation) }),
    config.grpcListen,
    verifier,
    logger,
    tls,
  );
  const membership = startMembership({
    keys,
    lookUp: createKeysLookup(keys),
    denied: Denial.REVOKED,
    address: config.gatewayAddress ?? grpc.address,
    credentialsMax: config.credentialCacheMax,
  });
  invalidate = (invalidation) => membership.invalidate(invalidation);
  // Without a lease the first requests would be admitted, too, only slower.
  await membership.joined;
  return { membership, grpc };
}

function failureLog(logger: Logger): PipelineDeps['onFailure'] {
  return (error, request) =>
    logger.error(
      {
        err: error,
        internal: error instanceof CairnError ? error.internal : undefined,
        request_id: request.headers['x-request-id'],
        method: request.method,
      },
      'http: request failed',
    );
}

/** Handles the events for which Node has a response of its own, or exits. Returns the upgraded connections. */
function handleOtherEvents(
  server: Server,
  serve: RequestListener,
  deps: PipelineDeps,
  logger: Logger,
): ReadonlySet<Duplex> {
  const upgraded = new Set<Duplex>();
  const lastResponse = new WeakMap<Duplex, ServerResponse>();
  const handleClientError = createClientErrorHandler();
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.prependListener(event, (request: IncomingMessage, response: ServerResponse) =>
      lastResponse.set(request.socket, response),
    );
  }
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
    void handleUpgrade(deps, request, socket, head);
  });
  server.on('connect', (request, socket) => {
    socket.on('error', () => undefined);
    const refused = new CairnError('method_not_allowed', 'CONNECT is not supported.');
    writeProblemToSocket(socket, refused, { requestId: requestIdOf(request.headers), accept: request.headers.accept });
  });
  server.on('clientError', (error, socket) => handleClientError(error, socket, lastResponse.get(socket)));
  server.on('error', (error) =>
    logger.error({ err: error }, 'http: accepting a connection failed; the server keeps listening'),
  );
  return upgraded;
}

/** On a memory's hostname the gateway serves only its health check itself. */
function isOwnPath(request: IncomingMessage, deps: PipelineDeps): boolean {
  const { host } = request.headers;
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  // A load balancer's health check may speak HTTP/1.0 and name no host.
  if (host === undefined && request.httpVersion !== '1.0') return false;
  const path = (request.url ?? '').split('?', 1)[0]!;
  if (host !== undefined && deps.hosts.isMemoryHost(host)) return path === '/healthz';
  return isPagePath(path);
}
