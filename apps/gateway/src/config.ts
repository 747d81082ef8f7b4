import { type ConfigOf, listenAddress, serviceVariables, telemetryVariables, variable } from '@cairn/service-kit';
import { z } from 'zod';

const httpUrl = z.url({ protocol: /^https?$/ });

export const variables = {
  httpListen: variable(
    'CAIRN_HTTP_LISTEN',
    listenAddress.prefault('127.0.0.1:8080'),
    'Address the public HTTP server listens on.',
  ),
  grpcListen: serviceVariables.grpcListen,
  gatewayAddress: variable(
    'CAIRN_GATEWAY_ADDRESS',
    z.string().min(1).optional(),
    'host:port at which the keys service reaches the gRPC server of this particular gateway, not a load balancer. Default: the listen address.',
  ),
  baseUrl: variable('CAIRN_BASE_URL', z.url().optional(), 'Public URL of the gateway. Default: the listen address.'),
  memoryDomain: variable(
    'CAIRN_MEMORY_DOMAIN',
    z.string().min(1).default('localhost'),
    'Parent domain of the hostnames of memories.',
  ),
  trustedProxies: variable(
    'CAIRN_TRUSTED_PROXIES',
    z.coerce.number().int().min(0).max(16).default(0),
    'Number of your own proxies in front of the gateway; the client address is that many entries from the right of X-Forwarded-For.',
  ),
  keysGrpc: variable('CAIRN_KEYS_GRPC', z.string().min(1), "host:port of keys' gRPC server."),
  tenancyGrpc: variable('CAIRN_TENANCY_GRPC', z.string().min(1), "host:port of tenancy's gRPC server."),
  keysHttp: variable('CAIRN_KEYS_HTTP', httpUrl, "URL of keys' HTTP server."),
  tenancyHttp: variable('CAIRN_TENANCY_HTTP', httpUrl, "URL of tenancy's HTTP server."),
  memoryHttp: variable('CAIRN_MEMORY_HTTP', httpUrl, "URL of memory's HTTP server."),
  researchHttp: variable('CAIRN_RESEARCH_HTTP', httpUrl, "URL of research's HTTP server."),
  webhooksHttp: variable('CAIRN_WEBHOOKS_HTTP', httpUrl, "URL of webhooks' HTTP server."),
  usageHttp: variable('CAIRN_USAGE_HTTP', httpUrl, "URL of usage's HTTP server."),
  credentialCacheMax: variable(
    'CAIRN_CREDENTIAL_CACHE_MAX',
    z.coerce.number().int().min(1).default(50_000),
    'Resolved credentials that the cache holds at most.',
  ),
  openRequestsPerSecond: variable(
    'CAIRN_OPEN_REQUESTS_PER_SECOND',
    z.coerce.number().positive().default(20),
    'Requests per second from one address to public (unauthenticated) operations (below /oauth and /.well-known), with a burst of five seconds of it.',
  ),
  refusedRequestsPerSecond: variable(
    'CAIRN_REFUSED_REQUESTS_PER_SECOND',
    z.coerce.number().positive().default(10),
    'Rejected requests (401, 403) per second from one address (IPv6: its /64 network), with a burst of twenty seconds of it. Beyond it the response is 429, and credentials that the gateway has never seen valid are not looked up.',
  ),
  overloadedFromMs: variable(
    'CAIRN_OVERLOADED_FROM_MS',
    z.coerce.number().min(0).default(5),
    'Mean lateness of an event loop in milliseconds, of the gateway or of the service that a request is for, from which the machine counts as overloaded: tenants that ask for more than their share then get 429. 0 switches that off.',
  ),
  connectionsMax: variable(
    'CAIRN_CONNECTIONS_MAX',
    z.coerce.number().int().min(1).default(20_000),
    'Connections that a gateway process holds open; fewer where its file descriptors do not suffice (about two for each). Beyond it the connection that has been idle longest is closed.',
  ),
  connectionsPerAddressMax: variable(
    'CAIRN_CONNECTIONS_PER_ADDRESS_MAX',
    z.coerce.number().int().min(1).default(1_000),
    'The same for one address (IPv6: its /64 network). Not applied with CAIRN_TRUSTED_PROXIES above 0, where every connection comes from a proxy: limit clients at the proxy.',
  ),
  processes: variable(
    'CAIRN_GATEWAY_PROCESSES',
    z.coerce.number().int().min(1).max(128).default(1),
    'Processes that share the HTTP port, about one per core. Their gRPC servers use consecutive ports starting at CAIRN_GRPC_LISTEN and CAIRN_GATEWAY_ADDRESS, unless those are 0.',
  ),
  sharesPort: variable(
    'CAIRN_GATEWAY_SHARES_PORT',
    z.stringbool().default(false),
    'Allows other processes to listen on the same HTTP port; set by the gateway for its own processes.',
  ),
  stateDir: variable(
    'CAIRN_STATE_DIR',
    z.string().min(1).optional(),
    'Folder that outlives this process, for its journal of spent monthly request quotas. Without it, the unspent quota that a killed gateway held is lost for the month (at most two seconds of requests per tenant).',
  ),
  consoleDir: variable(
    'CAIRN_CONSOLE_DIR',
    z.string().min(1).optional(),
    'Folder of the built console (apps/console/dist), which the gateway serves under /console of its base address. Without it, /console explains what is missing.',
  ),
  docsDir: variable(
    'CAIRN_DOCS_DIR',
    z.string().min(1).optional(),
    'Folder of the built documentation (apps/docs/dist), which the gateway serves under /docs of its base address. It may be made after the gateway has started; until then, /docs explains what is missing.',
  ),
  ...telemetryVariables,
  traceCallers: variable(
    'CAIRN_TRACE_CALLERS',
    z.enum(['linked', 'trusted']).default('linked'),
    "What the gateway does with a caller's `traceparent`. `linked`: it begins a trace of its own, with a link to the caller's span, and decides by itself whether to record it. `trusted`: it continues the caller's trace and follows its decision; only where every caller is your own, such as a proxy that sets the header.",
  ),
  tlsCertFile: serviceVariables.tlsCertFile,
  tlsKeyFile: serviceVariables.tlsKeyFile,
  tlsCaFile: serviceVariables.tlsCaFile,
  signingKeyFile: serviceVariables.signingKeyFile,
  jwksFile: serviceVariables.jwksFile,
  loopStallMaxMs: serviceVariables.loopStallMaxMs,
  requestKeysFile: serviceVariables.requestKeysFile,
  logLevel: serviceVariables.logLevel,
} as const;

export type Config = ConfigOf<typeof variables>;
