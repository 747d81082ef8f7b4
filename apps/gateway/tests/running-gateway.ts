import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  AllowanceService,
  CredentialSchema,
  Denial,
  KeyKind,
  KeysService,
  newId,
  SCOPES,
  type ServiceName,
  TenancyService,
} from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { createTokenVerifier, digestOf, generateKey, type TokenVerifier } from '@cairn/identity';
import { createLogger, type HttpBounds, listenGrpc, requireService, rpc, type Running } from '@cairn/service-kit';
import { createTestIdentities } from '@cairn/testing';
import { readFile } from 'node:fs/promises';
import type { Config } from '../src/config.ts';
import { createRateLimiter, type RateLimit, type RateLimiter } from '../src/limits/rate-limiter.ts';
import { startGateway } from '../src/service.ts';
import { type Answer, callHttp, type CallOptions } from './http-call.ts';
import { startUpstream, type Upstream } from './upstream.ts';

type CredentialInit = MessageInitShape<typeof CredentialSchema>;

export interface TestGateway {
  url: string;
  /** Where this gateway is told of narrowings, and the tokens to call it with. */
  grpc: string;
  token(service: 'keys' | 'memory'): Promise<string>;
  /** Plays keys: mints what the gateway will resolve. */
  keys: {
    mint(credential?: CredentialInit): string;
    mintDenied(denial: Denial): string;
    /** A key of the right form that nobody minted. */
    unknown(): string;
    /** Questions so far. */
    asked(): number;
    /** Requests that were reported of a key so far. */
    used(keyId: string): number;
    /** What is awaited before each answer. */
    delay(wait: () => Promise<unknown>): void;
    /** Fails every question from here on; undefined ends that. */
    fail(error: Error | undefined): void;
    /** Requests that every tenant may make each month; less than 0: any number. */
    allowMonthly(requests: bigint): void;
    /** Refuses renewals from here on, or grants them again. */
    grant(granted: boolean): void;
    /** Makes another verdict of what was minted. */
    change(plaintext: string, entry: CredentialInit | Denial): void;
    stop(): Promise<void>;
  };
  /** Plays tenancy: labels of memories' hostnames. */
  memoryHosts: Map<string, { memoryId: string; tenantId: string }>;
  services: Record<ServiceName, Upstream>;
  verifier: TokenVerifier;
  /** Sends a request with a key. */
  call(key: string, path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export const TENANT = newId('tenant');
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
  const keys = await startKeys(verifier);
  const memoryHosts: TestGateway['memoryHosts'] = new Map();
  const tenancy = await startTenancy(verifier, memoryHosts);
  const services = {
    keys: await startUpstream(),
    tenancy: await startUpstream(),
    memory: await startUpstream(),
    research: await startUpstream(),
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
      credentialCacheMax: 1_000,
      openRequestsPerSecond: 1_000,
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

const UNLIMITED = -1n;

/** Plays the bucket that gateways share. */
function draw(bucket: RateLimiter, { keyId, want, ...limit }: { keyId: string; want: number } & RateLimit) {
  let granted = 0;
  let decision = bucket.take(keyId, limit);
  while (decision.allowed && ++granted < want) decision = bucket.take(keyId, limit);
  return { keyId, granted, left: decision.remaining, waitMs: decision.retryAfterSeconds * 1_000 };
}

async function startKeys(verifier: TokenVerifier): Promise<TestGateway['keys'] & { address: string }> {
  const known = new Map<string, CredentialInit | Denial>();
  const used = new Map<string, number>();
  let asked = 0;
  let granted = true;
  const bucket = createRateLimiter();
  let quota = UNLIMITED;
  let failure: Error | undefined;
  let wait: () => Promise<unknown> = async () => undefined;
  const service = rpc(KeysService, {
    async renewLease(_request, context) {
      requireService(context, 'gateway');
      if (failure !== undefined) throw failure;
      return { granted, durationMs: 30_000, sharing: 1 };
    },
    async resolve({ sha256 }, context) {
      requireService(context, 'gateway');
      asked++;
      await wait();
      if (failure !== undefined) throw failure;
      const found = known.get(Buffer.from(sha256).toString('hex')) ?? Denial.UNKNOWN;
      if (typeof found === 'number') return { result: { case: 'denial' as const, value: found } };
      return { result: { case: 'credential' as const, value: create(CredentialSchema, found) } };
    },
    async reportUsage(report, context) {
      requireService(context, 'gateway');
      for (const { keyId, count } of report.usage) used.set(keyId, (used.get(keyId) ?? 0) + Number(count));
      return {};
    },
  });
  const allowances = rpc(AllowanceService, {
    async drawAllowances({ rates, quotas }, context) {
      requireService(context, 'gateway');
      if (failure !== undefined) throw failure;
      return {
        rates: rates.map((wish) => draw(bucket, wish)),
        quotas: quotas.map(({ tenantId, month, hold }) => ({
          tenantId,
          month,
          held: quota === UNLIMITED || hold < quota ? hold : quota,
          limit: quota === UNLIMITED ? 0n : quota,
          left: quota === UNLIMITED || hold > quota ? 0n : quota - hold,
          unlimited: quota === UNLIMITED,
        })),
      };
    },
    settleHolds: async () => ({ settled: true }),
  });
  const server = await listenGrpc([service, allowances], ADDRESS, verifier, logger);
  const put = (entry: CredentialInit | Denial) => {
    const { plaintext } = generateKey('live');
    known.set(digestOf(plaintext).toString('hex'), entry);
    return plaintext;
  };
  return {
    address: server.address,
    mint: (credential: CredentialInit = {}) => {
      const keyId = credential.keyId ?? newId('key');
      return put({
        keyId,
        credentialId: keyId,
        tenantId: TENANT,
        livemode: true,
        kind: KeyKind.LIVE,
        scopes: [...SCOPES],
        rateLimit: { requestsPerSecond: 1_000, burst: 10_000 },
        ...credential,
      } as CredentialInit);
    },
    mintDenied: put,
    unknown: () => generateKey('live').plaintext,
    asked: () => asked,
    used: (keyId) => used.get(keyId) ?? 0,
    delay(next) {
      wait = next;
    },
    allowMonthly(requests) {
      quota = requests;
    },
    fail(error) {
      failure = error;
    },
    grant(next) {
      granted = next;
    },
    change: (plaintext, entry) => void known.set(digestOf(plaintext).toString('hex'), entry),
    stop: () => server.close(),
  };
}

function startTenancy(
  verifier: TokenVerifier,
  hosts: TestGateway['memoryHosts'],
): Promise<Running & { address: string }> {
  const service = rpc(TenancyService, {
    async findMemoryHost({ subdomain }, context) {
      requireService(context, 'gateway');
      const found = hosts.get(subdomain);
      if (found === undefined) throw notFound('The memory');
      return found;
    },
    getMemory: noBusiness,
    getSpace: noBusiness,
    listSpaces: noBusiness,
    listTenantEngines: noBusiness,
  });
  return listenGrpc([service], ADDRESS, verifier, logger);
}

async function noBusiness(): Promise<never> {
  throw new CairnError('internal', 'The gateway has no business here.');
}
