import type { DescService } from '@bufbuild/protobuf';
import {
  type Credential,
  type Denial,
  KeyKind,
  KeysOperatorService,
  KeysService,
  KeysTenancyService,
  newId,
  TenancyService,
} from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { digestOf, type Identity } from '@cairn/identity';
import { listenGrpc, rpc, rpcClient, type RpcClient } from '@cairn/service-kit';
import {
  brokerAt,
  ANY_PORT,
  callService,
  captureLog,
  createTestDatabase,
  createTestIdentities,
  type ServiceResponse,
  serviceSettings,
  startTestNats,
  type TestDatabase,
  type TestIdentities,
  testIdentity,
  type TestNats,
  NO_TELEMETRY,
} from '@cairn/testing';
import pino from 'pino';
import type { Config } from '../src/config.ts';
import { MIGRATIONS } from '../src/migrate.ts';
import { startKeys } from '../src/service.ts';

export const BASE_URL = 'https://cairn.test';
/** A memory that the stub of tenancy knows, of whoever asks. */
export const KNOWN_MEMORY = newId('memory');
/** The one space of it. */
export const KNOWN_SPACE = newId('space');
/** A memory of the same tenant with a space of its own. */
export const OTHER_MEMORY = newId('memory');
export const OTHER_SPACE = newId('space');
/** What the stub of tenancy says that the installation offers. */
const FEATURES = { languageModels: ['small'], embeddings: true, reranking: false, webSearch: true, proxy: false };
const SPACES = new Map([
  [KNOWN_SPACE, KNOWN_MEMORY],
  [OTHER_SPACE, OTHER_MEMORY],
]);

export type Answer = ServiceResponse<Record<string, unknown> & { code?: string }>;

export interface RunningKeys {
  database: TestDatabase;
  nats: TestNats;
  identities: TestIdentities;
  gateway: RpcClient<typeof KeysService>;
  operator: RpcClient<typeof KeysOperatorService>;
  tenancy: RpcClient<typeof KeysTenancyService>;
  grpcAddress: string;
  /** For another replica of the service. */
  config: Config;
  /** Calls as another part; the client is closed afterwards. */
  as<S extends DescService, T>(
    part: Parameters<TestIdentities['serviceTokens']>[0],
    service: S,
    work: (client: RpcClient<S>) => Promise<T>,
  ): Promise<T>;
  /** Everything it logged. */
  logged(): string;
  /** Moves the clock that keys judges lifetimes by. */
  setTime(time: Date | null): void;
  call(
    identity: Identity | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** A request without a credential, as the gateway passes it on. */
  open(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** The keys service in this process over a database and broker of its own; tenancy is a stub that speaks its protocol. */
export async function runKeys(settings: Partial<Config> = {}): Promise<RunningKeys> {
  const [database, nats, identities] = await Promise.all([
    createTestDatabase({ service: 'keys', migrations: MIGRATIONS }),
    startTestNats(),
    createTestIdentities(),
  ]);
  const tenancy = await startTenancyStub(identities);
  const log = captureLog();
  let time: Date | null = null;
  const config: Config = {
    ...serviceSettings('keys', database, identities),
    databasePoolMax: 6,
    ...brokerAt(nats.url),
    logLevel: 'trace',
    publishedRetentionHours: 24,
    ...NO_TELEMETRY,
    tenancyGrpc: tenancy.address,
    baseUrl: BASE_URL,
    sessionIdleHours: 8,
    sessionDays: 7,
    allowPrivateNetwork: false,
    outboundProxy: undefined,
    outboundNoProxy: [],
    outboundCertificatesFile: undefined,
    oidcIssuer: undefined,
    oidcClientId: undefined,
    oidcClientSecret: undefined,
    oidcClientSecretFile: undefined,
    oidcName: 'single sign-on',
    oidcEmailDomains: [],
    ...settings,
  };
  const service = await startKeys(config, pino({ level: 'trace' }, log.sink), () => time ?? new Date());
  const gateway = rpcClient(KeysService, service.addresses.grpc!, identities.serviceTokens('gateway'));
  const operator = rpcClient(KeysOperatorService, service.addresses.grpc!, identities.serviceTokens('operator'));
  const asTenancy = rpcClient(KeysTenancyService, service.addresses.grpc!, identities.serviceTokens('tenancy'));
  return {
    database,
    nats,
    identities,
    gateway,
    operator,
    tenancy: asTenancy,
    grpcAddress: service.addresses.grpc!,
    config,
    async as(part, called, work) {
      const client = rpcClient(called, service.addresses.grpc!, identities.serviceTokens(part));
      try {
        return await work(client);
      } finally {
        client.close();
      }
    },
    logged: log.text,
    setTime(next) {
      time = next;
    },
    call: (identity, method, path, body, headers) =>
      callService(identities, identity, {
        service: 'keys',
        url: service.addresses.http!,
        method,
        path,
        body,
        ...(headers === undefined ? {} : { headers }),
      }),
    async open(path, init = {}) {
      return identities.fetchAs(null, 'keys')(`${service.addresses.http!}${path}`, init);
    },
    async close() {
      gateway.close();
      operator.close();
      asTenancy.close();
      await service.close();
      await tenancy.close();
      await Promise.all([database.close(), nats.remove(), identities.remove()]);
    },
  };
}

async function startTenancyStub(identities: TestIdentities) {
  const stub = rpc(TenancyService, {
    async getMemory(request, { caller }) {
      if (caller.kind !== 'tenant' || ![...SPACES.values()].includes(request.memoryId)) throw notFound('The memory');
      return { memory: { memoryId: request.memoryId, tenantId: caller.identity.tenantId } };
    },
    async getSpace({ spaceId }, { caller }) {
      const memoryId = SPACES.get(spaceId);
      if (caller.kind !== 'tenant' || memoryId === undefined) throw notFound('The space');
      return { space: { spaceId, memoryId }, memory: { memoryId, tenantId: caller.identity.tenantId } };
    },
    async listSpaces({ memoryId }) {
      const spaces = [...SPACES].filter(([, memory]) => memory === memoryId);
      return { spaces: spaces.map(([spaceId]) => ({ spaceId, memoryId })) };
    },
    listTenantEngines: async () => ({ engineIds: ['default'] }),
    describeTenant: async (_request, { caller }) => {
      if (caller.kind !== 'tenant') throw notFound('The tenant');
      return { name: `The tenant ${caller.identity.tenantId}`, plan: 'team', features: FEATURES };
    },
    findMemoryHost: () => Promise.reject(notFound('The memory')),
  });
  return listenGrpc([stub], ANY_PORT, await identities.verifier(), pino({ level: 'silent' }));
}

export interface Tenant {
  tenantId: string;
  testTenantId: string;
  /** Callers with the operator's first keys. */
  live: Identity;
  test: Identity;
  liveKey: string;
  testKey: string;
}

type MintRequest = Parameters<RpcClient<typeof KeysOperatorService>['mintKey']>[0];

/** What the operator knows of a tenant: 50 requests/s, a tenth for a test tenant. */
export function tenantRef(tenantId: string, twinOf = ''): MintRequest['tenant'] {
  const live = twinOf === '';
  const rateLimit = { requestsPerSecond: live ? 50 : 5, burst: live ? 100 : 10 };
  return { tenantId, livemode: live, plan: 'team', revision: 1n, rateLimit, twinOf };
}

/** A tenant with its test tenant and the first key of each, as the operator makes them. */
export async function makeTenant(keys: RunningKeys): Promise<Tenant> {
  const [tenantId, testTenantId] = [newId('tenant'), newId('tenant')];
  const live = await keys.operator.mintKey({ tenant: tenantRef(tenantId), name: 'first', kind: KeyKind.LIVE });
  const test = await keys.operator.mintKey({
    tenant: tenantRef(testTenantId, tenantId),
    name: 'first test',
    kind: KeyKind.TEST,
  });
  return {
    tenantId,
    testTenantId,
    live: testIdentity({ tenantId, keyId: live.keyId }),
    test: testIdentity({ tenantId: testTenantId, keyId: test.keyId, kind: 'test', livemode: false }),
    liveKey: live.apiKey,
    testKey: test.apiKey,
  };
}

/** What the gateway is told of a key: the credential, or why not. */
export async function resolve(keys: RunningKeys, plaintext: string): Promise<Credential | Denial | undefined> {
  return (await keys.gateway.resolve({ sha256: digestOf(plaintext) })).result.value;
}
