import { encodeEvent, type EventKind, newId, WEBHOOK_EVENTS, WebhooksErasureService } from '@cairn/contracts';
import { connectEventBus, type EventBus, publishEvent } from '@cairn/events';
import type { Identity } from '@cairn/identity';
import { rpcClient, type RpcClient, type StartedService } from '@cairn/service-kit';
import {
  brokerAt,
  callService,
  connectSuperuser,
  createTestDatabase,
  createTestIdentities,
  eventually,
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
import { type Ports, startWebhooks } from '../src/service.ts';
import { UNBOUNDED } from './unbounded.ts';

// The specs look into bodies of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type TestResponse = ServiceResponse<any>;

export interface Environment {
  database: TestDatabase;
  nats: TestNats;
  identities: TestIdentities;
  bus: EventBus;
  config: Config;
  /** Reads the database as superuser, bypassing row-level security. */
  ask<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Publishes an event as a service's relay does; returns its id. */
  emit(tenant: Identity, kind: EventKind, payload: object, scope?: { memoryId?: string }): Promise<string>;
  close(): Promise<void>;
}

export interface RunningWebhooks extends Environment {
  services: StartedService[];
  erasure: RpcClient<typeof WebhooksErasureService>;
  call(
    identity: Identity,
    method: string,
    path: string,
    body?: unknown,
    options?: { headers?: Record<string, string>; replica?: number },
  ): Promise<TestResponse>;
  /** Registers an endpoint for all events, or those that are named. */
  register(
    identity: Identity,
    url: string,
    more?: Record<string, unknown>,
  ): Promise<{ webhook_id: string; secret: string }>;
  deliveries(identity: Identity, webhookId: string, query?: string): Promise<TestResponse['body'][]>;
}

export const WORKSPACE = newId('workspace');
export const MEMORY = newId('memory');

/** A caller of a tenant of its own. */
export function newTenant(): Identity {
  return testIdentity({ tenantId: newId('tenant') });
}

/** Database, broker and keys of the webhooks service, without the service. */
export async function startEnvironment(overrides: Partial<Config> = {}): Promise<Environment> {
  const [database, nats, identities] = await Promise.all([
    createTestDatabase({ service: 'webhooks', migrations: MIGRATIONS }),
    startTestNats(),
    createTestIdentities(),
  ]);
  const bus = await connectEventBus({ natsUrl: nats.url, name: 'spec' });
  const superuser = await connectSuperuser(database, 'webhooks');
  const config: Config = {
    ...serviceSettings('webhooks', database, identities),
    databasePoolMax: 6,
    ...brokerAt(nats.url),
    logLevel: 'silent',
    publishedRetentionHours: 24,
    ...NO_TELEMETRY,
    keyEncryptionKeysFile: identities.keyEncryptionKeysFile,
    allowPrivateNetwork: true,
    outboundProxy: undefined,
    outboundNoProxy: [],
    outboundCertificatesFile: undefined,
    endpointConcurrencyMax: 16,
    inFlightMax: 512,
    ...UNBOUNDED,
    deactivateAfterHours: 120,
    deactivateUnprovenAfterHours: 24,
    deliveredRetentionDays: 7,
    deadLetterRetentionDays: 30,
    ...overrides,
  };
  return {
    database,
    nats,
    identities,
    bus,
    config,
    ask: superuser.ask,
    async emit(tenant, kind, payload, { memoryId = MEMORY } = {}) {
      const { tenantId, livemode } = tenant;
      const event = encodeEvent(kind, { tenantId, livemode, workspaceId: WORKSPACE, memoryId }, payload as never);
      await publishEvent(bus, event);
      return event.eventId;
    },
    async close() {
      await superuser.close();
      await bus.close();
      await Promise.all([database.close(), nats.remove(), identities.remove()]);
    },
  };
}

/** Replicas of the webhooks service in this process, over one database and one broker of their own. */
export async function runWebhooks(
  options: { replicas?: number; ports?: Partial<Ports>; config?: Partial<Config> } = {},
): Promise<RunningWebhooks> {
  const environment = await startEnvironment(options.config);
  const services: StartedService[] = [];
  for (let n = 0; n < (options.replicas ?? 1); n += 1)
    services.push(await startWebhooks(environment.config, pino({ level: 'silent' }), options.ports));
  const erasure = rpcClient(
    WebhooksErasureService,
    services[0]!.addresses.grpc!,
    environment.identities.serviceTokens('tenancy'),
  );
  const call: RunningWebhooks['call'] = (identity, method, path, body, { headers = {}, replica = 0 } = {}) => {
    const url = services[replica]!.addresses.http!;
    return callService(environment.identities, identity, { service: 'webhooks', url, method, path, body, headers });
  };
  return {
    ...environment,
    services,
    erasure,
    call,
    async register(identity, url, more = {}) {
      const made = await call(identity, 'POST', '/api/v1/webhooks', { url, events: WEBHOOK_EVENTS, ...more });
      if (made.status !== 201) throw new Error(`not registered: ${JSON.stringify(made.body)}`);
      return made.body;
    },
    async deliveries(identity, webhookId, query = '') {
      return (await call(identity, 'GET', `/api/v1/webhooks/${webhookId}/deliveries${query}`)).body.deliveries;
    },
    async close() {
      erasure.close();
      await Promise.all(services.map((service) => service.close()));
      await environment.close();
    },
  };
}

/** The webhook's deliveries, once each of them has ended. */
export function settled(webhooks: RunningWebhooks, identity: Identity, webhookId: string, count: number) {
  return eventually(
    () => webhooks.deliveries(identity, webhookId),
    (list) => list.length === count && list.every((one) => one.state !== 'pending' && one.state !== 'delivering'),
    30_000,
  );
}

let documents = 0;
/** The payload of one more document that was ingested. */
export const ingested = () => ({
  docId: newId('document'),
  vaultId: 'vlt_1',
  title: `Document ${++documents}`,
  chunks: 1,
});
