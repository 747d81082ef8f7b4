import { TenancyOperatorService, TenancyService, type TenantMessage } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { rpcClient, type RpcClient, type StartedService } from '@cairn/service-kit';
import {
  brokerAt,
  callService,
  connectSuperuser,
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
import { variables, type Config } from '../src/config.ts';
import { type RecordedCall, startStubServices } from './stub-services.ts';
import { MIGRATIONS } from '../src/migrate.ts';
import { startTenancy } from '../src/service.ts';

export type TestResponse = ServiceResponse<Record<string, unknown> & { code?: string }>;

/** A live tenant and its test tenant, with callers that act in them. */
export interface Tenant {
  live: TenantMessage;
  test: TenantMessage;
  caller: Identity;
  testCaller: Identity;
}

export interface RunningTenancy {
  database: TestDatabase;
  nats: TestNats;
  /** The calls that this service made to the stub services. */
  calls: RecordedCall[];
  /** Methods of the stubs that fail as long as they are in here. */
  refused: Set<string>;
  /** What the stub of the memory service says that every engine holds. */
  stored: { tenantId: string; memoryId: string }[];
  /** Memories that the stub of the memory service does not move. */
  inSearchCluster: Set<string>;
  identities: TestIdentities;
  grpcAddress: string;
  /** As the gateway, unless a call brings another token. */
  rpc: RpcClient<typeof TenancyService>;
  operator: RpcClient<typeof TenancyOperatorService>;
  makeTenant(plan?: string): Promise<Tenant>;
  /** Calls the first replica, or the one with the number. */
  call(
    identity: Identity,
    method: string,
    path: string,
    body?: unknown,
    options?: { headers?: Record<string, string>; replica?: number },
  ): Promise<TestResponse>;
  /** Reads the database as superuser, calls past row-level security. */
  query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Replicas of the tenancy service in this process, over one database and one broker of their own. */
export async function runTenancy(
  replicas = 1,
  options: { enginesFolder?: string; dedicatedEngineUrl?: string } = {},
): Promise<RunningTenancy> {
  const [database, nats, identities] = await Promise.all([
    createTestDatabase({ service: 'tenancy', migrations: MIGRATIONS }),
    startTestNats(),
    createTestIdentities(),
  ]);
  const stubs = await startStubServices(identities);
  const config: Config = {
    ...serviceSettings('tenancy', database, identities),
    databasePoolMax: 8,
    allowPrivateNetwork: false,
    ...brokerAt(nats.url),
    logLevel: 'silent',
    publishedRetentionHours: 24,
    ...NO_TELEMETRY,
    keysGrpc: stubs.address,
    memoryGrpc: stubs.address,
    webhooksGrpc: stubs.address,
    researchGrpc: stubs.address,
    usageGrpc: stubs.address,
    baseUrl: 'https://cairn.example',
    keyEncryptionKeysFile: identities.keyEncryptionKeysFile,
    enginesFolder: options.enginesFolder,
    dedicatedEngineUrl: options.dedicatedEngineUrl,
    plansFile: variables.plansFile.schema.parse(undefined),
  };
  const services: StartedService[] = [];
  for (let n = 0; n < replicas; n += 1) services.push(await startTenancy(config, pino({ level: 'silent' })));
  const grpc = services[0]!.addresses.grpc!;
  const rpc = rpcClient(TenancyService, grpc, identities.serviceTokens('gateway'));
  const operator = rpcClient(TenancyOperatorService, grpc, identities.serviceTokens('operator'));
  const superuser = await connectSuperuser(database, 'tenancy');
  return {
    database,
    nats,
    calls: stubs.calls,
    refused: stubs.refused,
    stored: stubs.stored,
    inSearchCluster: stubs.inSearchCluster,
    identities,
    grpcAddress: grpc,
    rpc,
    operator,
    makeTenant: (plan = 'team') => makeTenant(operator, plan),
    call: (identity, method, path, body, { headers = {}, replica = 0 } = {}) => {
      const url = services[replica]!.addresses.http!;
      return callService(identities, identity, { service: 'tenancy', url, method, path, body, headers });
    },
    query: superuser.ask,
    async close() {
      rpc.close();
      operator.close();
      await superuser.close();
      await Promise.all(services.map((service) => service.close()));
      await stubs.close();
      await Promise.all([database.close(), nats.remove(), identities.remove()]);
    },
  };
}

async function makeTenant(operator: RpcClient<typeof TenancyOperatorService>, plan: string): Promise<Tenant> {
  const { live, test } = await operator.createTenant({ name: 'Acme', plan });
  return {
    live: live!,
    test: test!,
    caller: testIdentity({ tenantId: live!.tenantId }),
    testCaller: testIdentity({ tenantId: test!.tenantId, livemode: false, kind: 'test' }),
  };
}
