import { type ConfigOf, listenAddress, serviceVariables, variable } from '@cairn/service-kit';
import { z } from 'zod';

const httpUrl = z.url({ protocol: /^http$/ });

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
    'host:port where keys reaches the gRPC server of this very gateway, not one that is balanced. Default: the address listened on.',
  ),
  baseUrl: variable('CAIRN_BASE_URL', z.url().optional(), 'Address that callers know; default: the one listened on.'),
  memoryDomain: variable(
    'CAIRN_MEMORY_DOMAIN',
    z.string().min(1).default('localhost'),
    'Domain below which each memory has its own hostname.',
  ),
  trustedProxies: variable(
    'CAIRN_TRUSTED_PROXIES',
    z.coerce.number().int().min(0).max(16).default(0),
    "Proxies of your own before the gateway; the caller's address is taken that far from the right of X-Forwarded-For.",
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
    'Credentials kept resolved.',
  ),
  openRequestsPerSecond: variable(
    'CAIRN_OPEN_REQUESTS_PER_SECOND',
    z.coerce.number().positive().default(20),
    'Requests a second from one address to the paths that need no credential (below /oauth and /.well-known); five seconds of it at once.',
  ),
  refusedRequestsPerSecond: variable(
    'CAIRN_REFUSED_REQUESTS_PER_SECOND',
    z.coerce.number().positive().default(10),
    'Refused requests (401, 403) a second from one address (IPv6: its network of 64 bits), twenty seconds of it at once; beyond it 429, and credentials that the gateway has never seen good are not looked up.',
  ),
  connectionsMax: variable(
    'CAIRN_CONNECTIONS_MAX',
    z.coerce.number().int().min(1).default(20_000),
    'Connections that a gateway process holds open; fewer where its file descriptors allow fewer (about two for each). Beyond it the one that has been idle longest is closed.',
  ),
  connectionsPerAddressMax: variable(
    'CAIRN_CONNECTIONS_PER_ADDRESS_MAX',
    z.coerce.number().int().min(1).default(1_000),
    'The same of one address (IPv6: its network of 64 bits). Does not hold with CAIRN_TRUSTED_PROXIES above 0, where every connection is from a proxy, which has to bound its own.',
  ),
  processes: variable(
    'CAIRN_GATEWAY_PROCESSES',
    z.coerce.number().int().min(1).max(128).default(1),
    'Processes that share the HTTP port, about one for each core. Their gRPC servers have consecutive ports from CAIRN_GRPC_LISTEN and CAIRN_GATEWAY_ADDRESS on, unless those say 0.',
  ),
  sharesPort: variable(
    'CAIRN_GATEWAY_SHARES_PORT',
    z.stringbool().default(false),
    'Lets other processes listen on the same HTTP port; set by the gateway for its own processes.',
  ),
  stateDir: variable(
    'CAIRN_STATE_DIR',
    z.string().min(1).optional(),
    'Folder that outlives this process, for notes of what it spent of monthly request quotas. Without it, what a killed gateway had drawn and not spent is lost for the month (at most two seconds of requests of each tenant).',
  ),
  signingKeyFile: serviceVariables.signingKeyFile,
  jwksFile: serviceVariables.jwksFile,
  loopStallMaxMs: serviceVariables.loopStallMaxMs,
  requestKeysFile: serviceVariables.requestKeysFile,
  logLevel: serviceVariables.logLevel,
} as const;

export type Config = ConfigOf<typeof variables>;
