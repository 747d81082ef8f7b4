import { SERVICE_NAMES, type ServiceName } from '@cairn/contracts';
import {
  BINDING_HEADER,
  createRequestVerifier,
  createTokenVerifier,
  IDENTITY_HEADER,
  requestKeysOf,
  type RequestVerifier,
  type ServiceTokenSource,
  type VerifiedCaller,
} from '@cairn/identity';
import { createLogger, type HttpBounds } from '@cairn/service-kit';
import { createTestIdentities, NO_TELEMETRY } from '@cairn/testing';
import { readFile } from 'node:fs/promises';
import type { Config } from '../src/config.ts';
import { startGateway } from '../src/service.ts';
import { type Answer, callHttp, type CallOptions } from './http-call.ts';
import { type FakeKeys, startFakeKeys, startFakeTenancy } from './fake-services.ts';
import { type SeenRequest, startUpstream, type Upstream } from './upstream.ts';

export interface TestGateway {
  url: string;
  /** Where this gateway is told of invalidations, and the tokens to call it with. */
  grpc: string;
  tokens(service: 'keys' | 'memory'): ServiceTokenSource;
  keys: FakeKeys;
  /** Plays tenancy: labels of memories' hostnames. */
  memoryHosts: Map<string, { memoryId: string; tenantId: string }>;
  services: Record<ServiceName, Upstream>;
  /** Who sent the request, as the service would find; null for one that it would refuse. */
  callerOf(service: ServiceName, seen: SeenRequest): Promise<VerifiedCaller | null>;
  /** Sends a request with a key. */
  call(key: string, path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export const MEMORY_DOMAIN = 'mem.test';
const ADDRESS = { host: '127.0.0.1', port: 0 };
const logger = createLogger('gateway', 'silent');

/** Boots the real gateway before real gRPC servers and real HTTP upstreams that play the services. */
export async function startTestGateway(
  overrides: Partial<Config> = {},
  bounds: Partial<HttpBounds> = {},
): Promise<TestGateway> {
  const identities = await createTestIdentities();
  const { keys: jwks } = JSON.parse(await readFile(identities.jwksFile, 'utf8'));
  const verifier = await createTokenVerifier(jwks);
  const { keys: requestKeys } = JSON.parse(await readFile(identities.requestKeysFile, 'utf8'));
  const requests = Object.fromEntries(
    SERVICE_NAMES.map((service) => {
      const options = { service, keys: requestKeysOf(requestKeys, service), tokens: verifier };
      return [service, createRequestVerifier(options)];
    }),
  ) as Record<ServiceName, RequestVerifier>;
  const keys = await startFakeKeys(verifier);
  const memoryHosts: TestGateway['memoryHosts'] = new Map();
  const tenancy = await startFakeTenancy(verifier, memoryHosts);
  const services = {
    keys: await startUpstream(),
    tenancy: await startUpstream(),
    memory: await startUpstream(),
    research: await startUpstream(),
    webhooks: await startUpstream(),
    usage: await startUpstream(),
  };
  const gateway = await startGateway(
    {
      httpListen: ADDRESS,
      baseUrl: undefined,
      memoryDomain: MEMORY_DOMAIN,
      trustedProxies: 0,
      keysGrpc: keys.address,
      tenancyGrpc: tenancy.address,
      keysHttp: services.keys.url,
      tenancyHttp: services.tenancy.url,
      memoryHttp: services.memory.url,
      researchHttp: services.research.url,
      webhooksHttp: services.webhooks.url,
      usageHttp: services.usage.url,
      credentialCacheMax: 1_000,
      openRequestsPerSecond: 1_000,
      refusedRequestsPerSecond: 1_000,
      overloadedFromMs: 0,
      connectionsMax: 10_000,
      connectionsPerAddressMax: 10_000,
      consoleDir: undefined,
      docsDir: undefined,
      stateDir: undefined,
      processes: 1,
      sharesPort: false,
      grpcListen: ADDRESS,
      gatewayAddress: undefined,
      signingKeyFile: identities.signingKeyFile('gateway'),
      jwksFile: identities.jwksFile,
      requestKeysFile: identities.requestKeysFile,
      tlsCertFile: undefined,
      tlsKeyFile: undefined,
      tlsCaFile: undefined,
      logLevel: 'silent',
      loopStallMaxMs: 0,
      traceCallers: 'linked',
      ...NO_TELEMETRY,
      ...overrides,
    },
    logger,
    bounds,
  );
  const url = gateway.addresses.http!;
  return {
    url,
    grpc: gateway.addresses.grpc!,
    tokens: (service) => identities.serviceTokens(service),
    keys,
    memoryHosts,
    services,
    async callerOf(service, { method, url, headers }) {
      const { [IDENTITY_HEADER]: token, [BINDING_HEADER]: binding } = headers as Record<string, string>;
      const check = await requests[service].verify({ method, target: url, token, binding });
      return check.ok ? check.caller : null;
    },
    call: (key, path, options = {}) =>
      callHttp(url, path, { ...options, headers: { 'x-api-key': key, ...options.headers } }),
    async close() {
      await gateway.close();
      await Promise.all([keys.stop(), tenancy.close(), ...Object.values(services).map((service) => service.close())]);
      await identities.remove();
    },
  };
}
