import {
  type ResponseOf,
  ChargeService,
  CreditUseService,
  newId,
  type readCredits,
  type readLlmUsage,
  TenantDirectoryService,
  UsageErasureService,
  UsageOperatorService,
} from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { connectEventBus, type EventBus, publishEvent } from '@cairn/events';
import type { Identity } from '@cairn/identity';
import { listenGrpc, rpc, rpcClient, type RpcClient, type StartedService } from '@cairn/service-kit';
import {
  brokerAt,
  ANY_PORT,
  callService,
  captureLog,
  connectSuperuser,
  createTestDatabase,
  createTestIdentities,
  eventually,
  type ServiceResponse,
  serviceSettings,
  startTestNats,
  temporaryFolder,
  type TestDatabase,
  type TestIdentities,
  testIdentity,
  type TestNats,
  NO_TELEMETRY,
} from '@cairn/testing';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import type { Config } from '../src/config.ts';
import { MIGRATIONS } from '../src/migrate.ts';
import { startUsage } from '../src/service.ts';
import { PRICES } from './prices.ts';

/** The response of either operation, or a problem; a spec reads the fields of the one it called. */
type TestResponse = ServiceResponse<
  ResponseOf<typeof readLlmUsage> &
    ResponseOf<typeof readCredits> & { code?: string; errors: { path: string; message: string }[] }
>;

interface KnownTenant {
  livemode: boolean;
  plan: string;
  status: string;
  revision: bigint;
  monthlyCredits: bigint;
}

export interface RunningUsage {
  database: TestDatabase;
  nats: TestNats;
  bus: EventBus;
  config: Config;
  charges: RpcClient<typeof ChargeService>;
  operator: RpcClient<typeof UsageOperatorService>;
  creditUse: RpcClient<typeof CreditUseService>;
  tenancy: RpcClient<typeof UsageErasureService>;
  identities: TestIdentities;
  grpcAddress: string;
  /** What the stub of tenancy knows of tenants. */
  directory: Map<string, KnownTenant>;
  /** A tenant that tenancy knows, and a caller in it. */
  makeTenant(monthlyCredits?: number, livemode?: boolean): Identity;
  pricesFile: string;
  logged(): string;
  setTime(time: Date | null): void;
  publish(...events: { subject: string; eventId: string; payload: Uint8Array }[]): Promise<void>;
  call(identity: Identity | null, path: string): Promise<TestResponse>;
  /** Waits until so many calls of the tenant are stored. */
  stored(tenantId: string, calls: number): Promise<void>;
  /** Reads the database as superuser, bypassing row-level security. */
  ask<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** The usage service in this process, over a database and broker of its own; tenancy is a stub of its protocol. */
export async function runUsage(prices: object = PRICES): Promise<RunningUsage> {
  const [database, nats, identities, folder] = await Promise.all([
    createTestDatabase({ service: 'usage', migrations: MIGRATIONS }),
    startTestNats(),
    createTestIdentities(),
    temporaryFolder('cairn-prices-'),
  ]);
  const pricesFile = join(folder, 'prices.json');
  await writeFile(pricesFile, JSON.stringify(prices));
  const directory = new Map<string, KnownTenant>();
  const stub = await startDirectory(identities, directory);
  const log = captureLog();
  let time: Date | null = null;
  const config: Config = {
    ...serviceSettings('usage', database, identities),
    databasePoolMax: 4,
    ...brokerAt(nats.url),
    logLevel: 'info',
    publishedRetentionHours: 24,
    ...NO_TELEMETRY,
    tenancyGrpc: stub.address,
    pricesFile,
  };
  const service = await startUsage(config, pino({ level: 'info' }, log.sink), () => time ?? new Date());
  const bus = await connectEventBus({ natsUrl: nats.url, name: 'spec' });
  const superuser = await connectSuperuser(database, 'usage');
  const { ask } = superuser;
  const clients = grpcClients(service, identities);
  return {
    database,
    nats,
    bus,
    config,
    identities,
    directory,
    pricesFile,
    ask,
    ...clients,
    grpcAddress: service.addresses.grpc!,
    makeTenant(monthlyCredits = 1_000, livemode = true) {
      const tenantId = newId('tenant');
      directory.set(tenantId, {
        livemode,
        plan: 'team',
        status: 'active',
        revision: 1n,
        monthlyCredits: BigInt(monthlyCredits),
      });
      return testIdentity({ tenantId, livemode });
    },
    logged: log.text,
    setTime: (next) => (time = next),
    async publish(...events) {
      await Promise.all(events.map((event) => publishEvent(bus, event)));
    },
    call: (identity, path) =>
      callService(identities, identity, { service: 'usage', url: service.addresses.http!, path }),
    async stored(tenantId, calls) {
      const count = async () =>
        Number(
          (await ask<{ n: string }>('SELECT count(*) AS n FROM llm_calls WHERE tenant_id = $1', [tenantId]))[0]!.n,
        );
      await eventually(count, (n) => n === calls, 60_000);
    },
    async close() {
      for (const client of Object.values(clients)) client.close();
      await superuser.close();
      await service.close();
      await bus.close();
      await stub.close();
      await rm(folder, { recursive: true, force: true });
      await Promise.all([database.close(), nats.remove(), identities.remove()]);
    },
  };
}

function grpcClients(service: StartedService, identities: TestIdentities) {
  const address = service.addresses.grpc!;
  return {
    charges: rpcClient(ChargeService, address, identities.serviceTokens('research')),
    operator: rpcClient(UsageOperatorService, address, identities.serviceTokens('operator')),
    creditUse: rpcClient(CreditUseService, address, identities.serviceTokens('tenancy')),
    tenancy: rpcClient(UsageErasureService, address, identities.serviceTokens('tenancy')),
  };
}

async function startDirectory(identities: TestIdentities, directory: Map<string, KnownTenant>) {
  const stub = rpc(TenantDirectoryService, {
    async getTenantPlan({ tenantId }) {
      const known = directory.get(tenantId);
      if (known === undefined) throw notFound('The tenant');
      return { tenantId, ...known };
    },
  });
  return listenGrpc([stub], ANY_PORT, await identities.verifier(), pino({ level: 'silent' }));
}
