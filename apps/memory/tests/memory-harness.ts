import {
  decodeEvent,
  type EngineConnection,
  EngineDirectoryService,
  type Event,
  initialMemorySettings,
  MemoryMoveService,
  type MemorySettings,
  MemorySettingsService,
  MemoryStoreService,
  newId,
  ProviderKeyService,
  TenancyService,
} from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { connectEventBus, EVENT_STREAM } from '@cairn/events';
import type { Identity, ServiceTokenSource } from '@cairn/identity';
import {
  createLogger,
  listenGrpc,
  parseConfig,
  readIdentityKeys,
  requireService,
  rpc,
  type RpcContext,
  type RpcClient,
  rpcClient,
} from '@cairn/service-kit';
import {
  callService,
  createTestDatabase,
  createTestIdentities,
  type ReplicatedPostgres,
  type ServiceResponse,
  startTestNats,
  type TestDatabase,
  testIdentity,
  type TestNats,
} from '@cairn/testing';
import { variables } from '../src/config.ts';
import { MIGRATIONS } from '../src/runtime/migrate-schema.ts';
import { startMemory } from '../src/service.ts';

export interface Caller {
  identity: Identity;
  memoryId: string;
  /** The root vault. */
  vaultId: string;
  /** Empty as from an older tenancy: the default engine. */
  engineId: string;
  spaces: StandInSpace[];
  /** As its memory is set; may be changed at any time. */
  settings: MemorySettings;
  /** As its plan is; may be changed at any time, and holds ten seconds. */
  limits: { documents: bigint; storedBytes: bigint };
}

export interface StandInSpace {
  spaceId: string;
  memoryId: string;
  vaultId: string;
  name: string;
  description: string;
  /** Documents without a space may be routed there. */
  routable: boolean;
}

type StandInEngine = Pick<EngineConnection, 'url' | 'workerUrl' | 'revision'>;

export interface BootedMemory {
  url: string;
  database: TestDatabase;
  nats: TestNats;
  /** What the directory of engines says; may be changed at any time. */
  engines: Map<string, StandInEngine>;
  /** Tenants' own keys, by `<tenant> <provider>`. */
  providerKeys: Map<string, string>;
  /** Called as tenancy calls it. */
  store: RpcClient<typeof MemoryStoreService>;
  moves: RpcClient<typeof MemoryMoveService>;
  grpc: string;
  tenancyTokens: ServiceTokenSource;
  gatewayTokens: ServiceTokenSource;
  /** `fetch` that sends requests as a gateway would forward them for the caller. */
  fetchAs(caller: Caller): typeof fetch;
  /** Another memory of the same tenant, called at its own host. */
  newMemory(caller: Caller, engineId?: string): Caller;
  /** Makes one that documents are routed to only when it is described. */
  newSpace(caller: Caller, described?: { name: string; description?: string }): StandInSpace;
  /** A tenant with one memory, which is its default one. */
  newCaller(overrides?: Partial<Identity>, engineId?: string): Caller;
  call<T = Answer>(
    caller: Caller | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    /** Default: the first replica. */
    replicaUrl?: string,
  ): Promise<T & Answer>;
  /** Ingests and waits until everything is completed. */
  ingest(caller: Caller, documents: Record<string, unknown>[]): Promise<string[]>;
  /** Every event about the tenant that was published but those of the audit log, oldest first. */
  events(tenantId: string): Promise<Event[]>;
  /** Starts another replica on the same database, configured alike but for the given variables. */
  replica(changes?: Record<string, string | undefined>): Promise<{ url: string; grpc: string; close(): Promise<void> }>;
  close(): Promise<void>;
}

// The specs look into bodies of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
export type Answer = ServiceResponse<any>;

const COMPLETED_TIMEOUT_MS = 150_000;

/**
 * The memory service as it is shipped, on real engines, with a stand-in for tenancy that speaks its protocol. With
 * `servers`, on a server of its own that has streaming replicas.
 */
export async function bootMemory(
  env: Record<string, string> = {},
  servers?: ReplicatedPostgres,
): Promise<BootedMemory> {
  const logger = createLogger('test', 'silent');
  const [database, nats, identities] = await Promise.all([
    createTestDatabase({
      service: 'memory',
      migrations: MIGRATIONS,
      ...(servers === undefined ? {} : { serverUrl: servers.superuserUrl }),
    }),
    startTestNats(),
    createTestIdentities(),
  ]);
  const callers = new Map<string, Caller>();
  const { verifier } = await readIdentityKeys({
    signingKeyFile: identities.signingKeyFile('tenancy'),
    jwksFile: identities.jwksFile,
  });
  const engines = new Map<string, StandInEngine>();
  const providerKeys = new Map<string, string>();
  const tenancy = await listenGrpc(
    [tenancyOf(callers), settingsOf(callers), createEngineDirectory(engines), providerKeysOf(providerKeys)],
    { host: '127.0.0.1', port: 0 },
    verifier,
    logger,
  );
  const environment = {
    DATABASE_URL: database.url,
    DATABASE_WORKER_URL: database.workerUrl,
    NATS_URL: nats.url,
    CAIRN_SIGNING_KEY_FILE: identities.signingKeyFile('memory'),
    CAIRN_JWKS_FILE: identities.jwksFile,
    CAIRN_REQUEST_KEYS_FILE: identities.requestKeysFile,
    CAIRN_TENANCY_GRPC: tenancy.address,
    CAIRN_INGEST_KEYS_FILE: identities.keyEncryptionKeysFile,
    CAIRN_ENGINE_POLL_MS: '100',
    ...replicasOf(database.url, servers),
    ...env,
  };
  const service = await startMemory(parseConfig(variables, environment), logger);
  const url = service.addresses.http!;
  const store = rpcClient(MemoryStoreService, service.addresses.grpc!, identities.serviceTokens('tenancy'));
  const moves = rpcClient(MemoryMoveService, service.addresses.grpc!, identities.serviceTokens('tenancy'));

  const booted: BootedMemory = {
    url,
    database,
    nats,
    engines,
    providerKeys,
    store,
    moves,
    grpc: service.addresses.grpc!,
    tenancyTokens: identities.serviceTokens('tenancy'),
    gatewayTokens: identities.serviceTokens('gateway'),
    fetchAs: ({ identity }) => identities.fetchAs(identity, 'memory'),
    newCaller(overrides = {}, engineId = '') {
      const caller = callerOf(testIdentity(overrides), engineId);
      callers.set(caller.memoryId, caller);
      return caller;
    },
    newMemory({ identity }, engineId = '') {
      const caller = callerOf(identity, engineId);
      callers.set(caller.memoryId, caller);
      return { ...caller, identity: { ...identity, hostMemoryId: caller.memoryId } };
    },
    newSpace(caller, described) {
      const ids = { spaceId: newId('space'), memoryId: caller.memoryId, vaultId: newId('vault') };
      const { name = 'Space', description = '' } = described ?? {};
      const space = { ...ids, name, description, routable: described !== undefined };
      caller.spaces.push(space);
      return space;
    },
    async call<T>(
      caller: Caller | null,
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
      replicaUrl = url,
    ) {
      const identity = caller?.identity ?? null;
      const request = { service: 'memory', url: replicaUrl, method, path, body, headers } as const;
      return callService<Answer['body']>(identities, identity, request) as Promise<T & Answer>;
    },
    async ingest(caller, documents) {
      const accepted = await booted.call(caller, 'POST', '/api/v1/memory/documents', { documents });
      if (accepted.status !== 202) throw new Error(`not accepted: ${JSON.stringify(accepted.body)}`);
      const ids: string[] = accepted.body.documents.map((document: { doc_id: string }) => document.doc_id);
      await untilCompleted(booted, caller, ids);
      return ids;
    },
    events: (tenantId) => publishedAbout(nats.url, tenantId),
    async replica(changes = {}) {
      const other = await startMemory(parseConfig(variables, { ...environment, ...changes }), logger);
      return { url: other.addresses.http!, grpc: other.addresses.grpc!, close: () => other.close() };
    },
    async close() {
      store.close();
      moves.close();
      await service.close();
      await tenancy.close();
      await nats.remove();
      await database.close();
      await identities.remove();
    },
  };
  return booted;
}

function replicasOf(url: string, servers?: ReplicatedPostgres): Record<string, string> {
  if (servers === undefined) return {};
  const hosts = servers.replicas.map((replica) => new URL(replica.urlOf(url)).host);
  return { DATABASE_REPLICA_URL: url.replace(/@[^/]+/, `@${hosts.join(',')}`) };
}

function callerOf(identity: Identity, engineId: string): Caller {
  const ids = { memoryId: newId('memory'), vaultId: newId('vault'), engineId };
  return { identity, ...ids, spaces: [], settings: initialMemorySettings(), limits: UNBOUND };
}

const UNBOUND = { documents: 1_000_000_000n, storedBytes: 1_000_000_000_000n } as const;

async function publishedAbout(url: string, tenantId: string): Promise<Event[]> {
  const bus = await connectEventBus({ natsUrl: url, name: 'test' });
  try {
    const { state } = await bus.manager.streams.info(EVENT_STREAM);
    const events: Event[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      const event = decodeEvent((await bus.manager.streams.getMessage(EVENT_STREAM, { seq })).data);
      if (event.tenantId === tenantId && event.payload.case !== 'auditRecorded') events.push(event);
    }
    return events;
  } finally {
    await bus.close();
  }
}

async function untilCompleted(booted: BootedMemory, caller: Caller, ids: readonly string[]): Promise<void> {
  const deadline = Date.now() + COMPLETED_TIMEOUT_MS;
  for (;;) {
    const states = await Promise.all(ids.map((id) => booted.call(caller, 'GET', `/api/v1/memory/documents/${id}`)));
    if (states.every((state) => state.body.status === 'completed')) return;
    const failed = states.find((state) => state.body.status === 'failed');
    if (failed !== undefined) throw new Error(`failed: ${JSON.stringify(failed.body.error)}`);
    if (Date.now() > deadline)
      throw new Error(`not completed: ${JSON.stringify(states.map((state) => state.body.status))}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function tenancyOf(callers: ReadonlyMap<string, Caller>) {
  const ownOf = (context: RpcContext) => {
    const tenantId = context.caller.kind === 'tenant' ? context.caller.identity.tenantId : '';
    return [...callers.values()].filter((caller) => caller.identity.tenantId === tenantId);
  };
  return rpc(TenancyService, {
    async getMemory(request, context) {
      const own = ownOf(context);
      const found = request.memoryId === '' ? own[0] : own.find((caller) => caller.memoryId === request.memoryId);
      if (found === undefined) throw notFound('The memory');
      return { memory: memoryMessage(found) };
    },
    async getSpace(request, context) {
      for (const caller of ownOf(context)) {
        const space = caller.spaces.find((known) => known.spaceId === request.spaceId);
        if (space !== undefined) return { space, memory: memoryMessage(caller) };
      }
      throw notFound('The space');
    },
    async listSpaces(request, context) {
      return { spaces: ownOf(context).find((caller) => caller.memoryId === request.memoryId)?.spaces ?? [] };
    },
    describeTenant: () => Promise.reject(notFound('The tenant')),
    async listTenantEngines(_request, context) {
      const engines = ownOf(context).map((caller) => (caller.engineId === '' ? 'default' : caller.engineId));
      return { engineIds: [...new Set(engines)] };
    },
    async findMemoryHost() {
      throw notFound('The memory');
    },
  });
}

function settingsOf(callers: ReadonlyMap<string, Caller>) {
  return rpc(MemorySettingsService, {
    async getMemorySettings({ tenantId, memoryId, withSpaces }, context) {
      requireService(context, 'memory');
      const caller = callers.get(memoryId);
      if (caller === undefined || caller.identity.tenantId !== tenantId) throw notFound('The memory');
      const limits = { ...caller.limits, plan: 'test', suggestedPlan: 'larger', upgradeUrl: '' };
      return {
        settings: caller.settings,
        engineId: caller.engineId,
        spaces: withSpaces ? caller.spaces.filter((space) => space.routable) : [],
        limits,
      };
    },
  });
}

function memoryMessage(caller: Caller) {
  return {
    memoryId: caller.memoryId,
    tenantId: caller.identity.tenantId,
    workspaceId: `ws_${caller.identity.tenantId}`,
    type: 'shared',
    status: 'active',
    rootVaultId: caller.vaultId,
    dlpPolicy: caller.settings.dlp_policy,
    engineId: caller.engineId,
  };
}

function providerKeysOf(keys: ReadonlyMap<string, string>) {
  return rpc(ProviderKeyService, {
    async revealProviderKey({ tenantId, provider }, context) {
      requireService(context, 'memory');
      const apiKey = keys.get(`${tenantId} ${provider}`);
      if (apiKey === undefined) throw notFound('The provider key');
      return { apiKey, baseUrl: '' };
    },
  });
}

function createEngineDirectory(engines: ReadonlyMap<string, StandInEngine>) {
  return rpc(EngineDirectoryService, {
    async listEngineConnections(_request, context) {
      requireService(context, 'memory');
      return { engines: [...engines].map(([engineId, engine]) => ({ engineId, ...engine, dedicated: false })) };
    },
  });
}
