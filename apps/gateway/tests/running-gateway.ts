import type { ServiceName } from '@cairn/contracts';
import { createTokenVerifier, type TokenVerifier } from '@cairn/identity';
import { createLogger, type HttpBounds } from '@cairn/service-kit';
import { createTestIdentities } from '@cairn/testing';
import { readFile } from 'node:fs/promises';
import type { Config } from '../src/config.ts';
import { startGateway } from '../src/service.ts';
import { type Answer, callHttp, type CallOptions } from './http-call.ts';
import { type PlayedKeys, playKeys, playTenancy } from './played-services.ts';
import { startUpstream, type Upstream } from './upstream.ts';

export interface TestGateway {
  url: string;
  /** Where this gateway is told of narrowings, and the tokens to call it with. */
  grpc: string;
  token(service: 'keys' | 'memory'): Promise<string>;
  keys: PlayedKeys;
  /** Plays tenancy: labels of memories' hostnames. */
  memoryHosts: Map<string, { memoryId: string; tenantId: string }>;
  services: Record<ServiceName, Upstream>;
  verifier: TokenVerifier;
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
  const keys = await playKeys(verifier);
  const memoryHosts: TestGateway['memoryHosts'] = new Map();
  const tenancy = await playTenancy(verifier, memoryHosts);
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
      connectionsMax: 10_000,
      connectionsPerAddressMax: 10_000,
      stateDir: undefined,
      processes: 1,
      sharesPort: false,
      grpcListen: ADDRESS,
      gatewayAddress: undefined,
      signingKeyFile: identities.signingKeyFile('gateway'),
      jwksFile: identities.jwksFile,
      logLevel: 'silent',
      ...overrides,
    },
    logger,
    bounds,
  );
  const url = gateway.addresses.http!;
  return {
    url,
    grpc: gateway.addresses.grpc!,
    token: (service) => identities.serviceToken(service),
    keys,
    memoryHosts,
    services,
    verifier,
    call: (key, path, options = {}) =>
      callHttp(url, path, { ...options, headers: { 'x-api-key': key, ...options.headers } }),
    async close() {
      await gateway.close();
      await Promise.all([keys.stop(), tenancy.close(), ...Object.values(services).map((service) => service.close())]);
      await identities.remove();
    },
  };
}
