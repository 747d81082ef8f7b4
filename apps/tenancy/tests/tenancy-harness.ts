import { TenancyOperatorService, TenancyService, type TenantMessage } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { rpcClient, type RpcClient, type StartedService } from '@cairn/service-kit';
import {
  brokerAt,
  createTestDatabase,
  createTestIdentities,
  startTestNats,
  type TestDatabase,
  type TestIdentities,
  testIdentity,
  type TestNats,
} from '@cairn/testing';
import pg from 'pg';
import pino from 'pino';
import { variables, type Config } from '../src/config.ts';
import { type RecordedCall, startStubServices } from './stub-services.ts';
import { MIGRATIONS } from '../src/migrate.ts';
import { startTenancy } from '../src/service.ts';

const ANY_PORT = { host: '127.0.0.1', port: 0 };

export interface TestResponse {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { code?: string };
}

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
    httpListen: ANY_PORT,
    grpcListen: ANY_PORT,
    databaseUrl: database.url,
    databaseWorkerUrl: database.workerUrl,
    databasePoolMax: 8,
    ...brokerAt(nats.url),
    signingKeyFile: identities.signingKeyFile('tenancy'),
    jwksFile: identities.jwksFile,
    requestKeysFile: identities.requestKeysFile,
    logLevel: 'silent',
    loopStallMaxMs: 0,
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
  const superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  await superuser.query('SET search_path TO tenancy');
  return {
    database,
    nats,
    calls: stubs.calls,
    refused: stubs.refused,
    identities,
    grpcAddress: grpc,
    rpc,
    operator,
    makeTenant: (plan = 'team') => makeTenant(operator, plan),
    async call(identity, method, path, body, { headers = {}, replica = 0 } = {}) {
      const response = await fetch(`${services[replica]!.addresses.http!}${path}`, {
        method,
        headers: {
          ...(await identities.headersFor(identity, { service: 'tenancy', method, url: path })),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as TestResponse['body'],
      };
    },
    query: async (sql, values = []) => (await superuser.query(sql, values)).rows,
    async close() {
      rpc.close();
      operator.close();
      await superuser.end();
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
