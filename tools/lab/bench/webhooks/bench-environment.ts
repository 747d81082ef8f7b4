import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedPostgres, startPostgres } from '@cairn/embedded';
import { newId } from '@cairn/contracts';
import { generateRolePasswords, migrate, provisionService, type ServiceRoles } from '@cairn/postgres';
import { createKeyRing } from '@cairn/encryption';
import {
  brokerAt,
  createTestIdentities,
  startTestNats,
  temporaryFolder,
  type TestIdentities,
  type TestNats,
  NO_TELEMETRY,
} from '@cairn/testing';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Config } from '../../../../apps/webhooks/src/config.ts';
import { MIGRATIONS } from '../../../../apps/webhooks/src/migrate.ts';
import { budgetKeysOf } from '../../../../apps/webhooks/src/budgets/budget-keys.ts';
import type { BudgetLimits } from '../../../../apps/webhooks/src/budgets/limits.ts';

/** As the service has them unless the operator says otherwise. */
const DEFAULT_LIMITS: BudgetLimits = {
  hostStartPerSecond: 10,
  hostPerSecondMax: 500,
  hostInFlightMax: 128,
  tenantPerSecondMax: 500,
  tenantInFlightMax: 128,
  testPerSecondMax: 100,
  testInFlightMax: 64,
};

const ANY_PORT = { host: '127.0.0.1', port: 0 };

/** What the service runs on, with durable commits, on engines of its own. */
export interface BenchEnvironment {
  config: Config;
  nats: TestNats;
  /** As the superuser, in the service's schema; queried again after a restart. */
  ask<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Registers an endpoint for documents that were ingested; returns the webhook's id. */
  register(tenantId: string, url: string): Promise<string>;
  /** Leaves the budgets as if the endpoint had accepted the tenant's deliveries for a while. */
  prove(tenantId: string, url: string): Promise<void>;
  /** Ends every connection and restarts PostgreSQL. */
  restartPostgres(): Promise<void>;
  remove(): Promise<void>;
}

async function migratedRoles(superuserUrl: string): Promise<ServiceRoles> {
  const passwords = generateRolePasswords();
  const { roles } = await provisionService({ superuserUrl, database: 'bench', service: 'webhooks', passwords });
  await migrate({ ownerUrl: roles.ownerUrl, schema: 'webhooks', directories: MIGRATIONS });
  return roles;
}

export async function startBenchEnvironment(): Promise<BenchEnvironment> {
  const folder = await temporaryFolder('cairn-webhooks-bench-');
  const start = (port?: number) =>
    startPostgres({ dataDir: join(folder, 'postgres'), ...(port === undefined ? {} : { port }) });
  let postgres: EmbeddedPostgres = await start();
  const { port } = postgres;
  const [nats, identities] = await Promise.all([startTestNats(), createTestIdentities()]);
  const roles = await migratedRoles(postgres.superuserUrl);
  const { keys } = JSON.parse(await readFile(identities.keyEncryptionKeysFile, 'utf8'));
  const keyRing = await createKeyRing(keys);
  const superuserUrl = new URL(postgres.superuserUrl);
  superuserUrl.pathname = '/bench';
  superuserUrl.searchParams.set('options', '-c search_path=webhooks');
  const ask: BenchEnvironment['ask'] = async (sql, values = []) => {
    const client = new pg.Client({ connectionString: superuserUrl.href });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(sql, values)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    ask,
    nats,
    config: configOf(roles, nats.url, identities),
    async register(tenantId, url) {
      const id = newId('webhook');
      const sealed = await keyRing.encrypt(`webhook ${id}`, `whsec_${Buffer.alloc(32, 7).toString('base64')}`);
      await ask(
        `INSERT INTO webhooks (tenant_id, webhook_id, url, events, description, active, auto_replay, livemode, secret_sealed,
                               first_accepted_at)
         VALUES ($1, $2, $3, '{memory.ingest.completed}', '', true, false, true, $4, now())`,
        [tenantId, id, url, sealed],
      );
      return id;
    },
    async prove(tenantId, url) {
      const host = new URL(url).hostname;
      const keys = budgetKeysOf(
        { tenantId, livemode: true, host, addresses: [host] },
        { accepts: true, isSlow: false },
        DEFAULT_LIMITS,
      );
      await ask(
        `INSERT INTO delivery_budgets (budget_key, per_second, tokens, unproven_tokens, refilled_at, window_began_at)
         SELECT budget_key, per_second, 1, 0, now(), now() FROM unnest($1::text[], $2::float8[]) AS given (budget_key, per_second)
         ON CONFLICT DO NOTHING`,
        [keys.map(({ key }) => key), keys.map(({ policy }) => policy.perSecondMax)],
      );
    },
    async restartPostgres() {
      await postgres.stop('fast');
      postgres = await start(port);
    },
    async remove() {
      await postgres.stop('immediate');
      await Promise.all([nats.remove(), identities.remove()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configOf(roles: { url: string; workerUrl: string }, natsUrl: string, identities: TestIdentities): Config {
  return {
    httpListen: ANY_PORT,
    grpcListen: ANY_PORT,
    databaseUrl: roles.url,
    databaseWorkerUrl: roles.workerUrl,
    databasePoolMax: 4,
    ...brokerAt(natsUrl),
    signingKeyFile: identities.signingKeyFile('webhooks'),
    jwksFile: identities.jwksFile,
    requestKeysFile: identities.requestKeysFile,
    healthListen: undefined,
    tlsCertFile: undefined,
    tlsKeyFile: undefined,
    tlsCaFile: undefined,
    logLevel: 'silent',
    loopStallMaxMs: 0,
    publishedRetentionHours: 24,
    ...NO_TELEMETRY,
    keyEncryptionKeysFile: identities.keyEncryptionKeysFile,
    allowPrivateNetwork: true,
    outboundProxy: undefined,
    outboundNoProxy: [],
    outboundCertificatesFile: undefined,
    endpointConcurrencyMax: 16,
    inFlightMax: 512,
    ...DEFAULT_LIMITS,
    deactivateAfterHours: 120,
    deactivateUnprovenAfterHours: 24,
    deliveredRetentionDays: 7,
    deadLetterRetentionDays: 30,
  };
}
