import type { IncomingMessage, ServerResponse } from 'node:http';
import { KeysService, TenancyService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { createServiceTokenSource } from '@cairn/identity';
import { closeInReverse, listenHttp, type Logger, readIdentityKeys, rpcClient, type StartedService } from '@cairn/service-kit';
import type { Config } from './config.ts';
import { createCredentialCache } from './credential-cache.ts';
import { createHpmForwarder } from './forward-with-hpm.ts';
import { createIdentityTokens } from './identity-tokens.ts';
import { createMemoryHosts } from './memory-host.ts';
import { OWN_PATHS, pagesApp } from './pages.ts';
import { handleRequest, handleUpgrade, type PipelineParts } from './pipeline.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { requestIdOf } from './request-id.ts';
import { createRouteTable, type Upstreams } from './route-table.ts';

const VERSION = '0.1.0';
const READY_CHECK_TIMEOUT_MS = 2_000;

/** Puts the gateway together and starts it. It owns no database. */
export async function startGateway(config: Config, logger: Logger): Promise<StartedService> {
  const { signer } = await readIdentityKeys(config);
  const serviceToken = createServiceTokenSource(signer, 'gateway');
  const keys = rpcClient(KeysService, config.keysGrpc, serviceToken);
  const tenancy = rpcClient(TenancyService, config.tenancyGrpc, serviceToken);
  const upstreams: Upstreams = { keys: config.keysHttp, tenancy: config.tenancyHttp, memory: config.memoryHttp };
  const onFailure = (error: unknown, request: IncomingMessage) =>
    logger.error(
      { err: error, internal: error instanceof CairnError ? error.internal : undefined, request_id: request.headers['x-request-id'], method: request.method },
      'request failed',
    );
  const forwarder = createHpmForwarder(onFailure);
  const parts: PipelineParts = {
    routes: createRouteTable(),
    upstreams,
    credentials: createCredentialCache(keys, config.credentialCacheMax),
    hosts: createMemoryHosts(tenancy, config.memoryDomain),
    tokens: createIdentityTokens(signer),
    limiter: createRateLimiter(),
    forwarder,
    trustedProxies: config.trustedProxies,
    onFailure,
  };
  let listening = '';
  const pages = pagesApp({ version: VERSION, baseUrl: () => config.baseUrl ?? listening, ready: () => allReady(upstreams) });

  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (isOwnPath(request, parts.hosts.isMemoryHost(request.headers.host ?? ''))) {
      response.setHeader('x-request-id', requestIdOf(request.headers));
      pages(request, response);
    } else void handleRequest(parts, request, response);
  };
  const http = await listenHttp(serve, config.httpListen);
  listening = http.url;
  // With these two listeners Node leaves `Expect` and upgrades to the pipeline.
  http.server.on('checkContinue', serve);
  http.server.on('upgrade', (request, socket, head) => void handleUpgrade(parts, request, socket, head));
  const closing = closeInReverse([async () => keys.close(), async () => tenancy.close(), async () => forwarder.close(), http]);
  return { addresses: { http: http.url }, close: closing.close };
}

/** On a memory's hostname nothing of the gateway's own is served but its health. */
function isOwnPath(request: IncomingMessage, onMemoryHost: boolean): boolean {
  const path = (request.url ?? '').split('?', 1)[0]!;
  if (onMemoryHost) return request.method === 'GET' && path === '/healthz';
  return request.method === 'GET' && (OWN_PATHS.has(path) || path.startsWith('/docs/'));
}

async function allReady(upstreams: Upstreams): Promise<void> {
  const missing: string[] = [];
  await Promise.all(
    Object.entries(upstreams).map(async ([name, url]) => {
      const answer = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(READY_CHECK_TIMEOUT_MS) }).catch(() => null);
      if (answer?.ok !== true) missing.push(name);
    }),
  );
  if (missing.length > 0) throw new CairnError('unavailable', `Not ready: ${missing.sort().join(', ')}.`);
}
