import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import * as contracts from '@cairn/contracts';
import { createServiceTokenSource, createTokenSigner } from '@cairn/identity';
import { rpcClient } from '@cairn/service-kit';
import { probeNats, type SharedCairn, sharedCairn } from '@cairn/testing';
import pg from 'pg';
import { databaseOf } from './installation-state.ts';

/**
 * What somebody can do who has taken over one service, with everything that it holds: its environment and its key.
 * Whatever is reachable beyond its own must stand in the tables here.
 */
const SERVICES = ['keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage'] as const;
type Service = (typeof SERVICES)[number];
const PARTS = [...SERVICES, 'gateway'] as const;
type Part = (typeof PARTS)[number];

/** What each part may call in its own name: whole gRPC services, or single methods of one. */
const ALLOWED_CALLS: Record<Part, readonly string[]> = {
  gateway: ['AllowanceService', 'KeysService', 'TenancyService.FindMemoryHost'],
  keys: [],
  tenancy: [
    'CreditUseService',
    'KeysTenancyService',
    'MemoryMoveService',
    'MemoryStoreService',
    'ResearchErasureService',
    'ResearchFeaturesService',
    'UsageErasureService',
    'WebhooksErasureService',
    'WebhookUseService',
  ],
  memory: ['EngineDirectoryService', 'MemorySettingsService', 'ProviderKeyService'],
  research: ['ChargeService', 'MemoryReadService', 'ProviderKeyService'],
  webhooks: [],
  usage: ['TenantDirectoryService'],
};

type GrpcService = Parameters<typeof rpcClient>[0];

let cairn: SharedCairn;
let environments: Record<Part, Record<string, string>>;
let superuser: pg.Client;
let tables: { schema: string; name: string }[];
beforeAll(async () => {
  cairn = await sharedCairn();
  const entries = await Promise.all(PARTS.map(async (part) => [part, await cairn.environmentOf(part)] as const));
  environments = Object.fromEntries(entries) as typeof environments;
  superuser = await databaseOf(cairn);
  const found = await superuser.query<{ schema: string; name: string }>(
    `SELECT schemaname AS schema, format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname = ANY($1) ORDER BY 2`,
    [SERVICES],
  );
  tables = found.rows;
}, 90_000);
afterAll(async () => {
  await superuser.end();
  await cairn.remove();
});

/** Every URL of a database in the environment, whatever its variable is called. */
function databaseUrls(part: Part): URL[] {
  const values = Object.values(environments[part]);
  return values.flatMap((value) => (/^postgres(ql)?:/.test(value) ? [new URL(value)] : []));
}

async function connected<T>(url: URL, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const succeeds = (attempt: Promise<unknown>) =>
  attempt.then(
    () => true,
    () => false,
  );

describe('with the environment of one service in hand', () => {
  it.each(SERVICES)('%s: no table of another service can be read or written', async (service) => {
    const foreign = tables.filter(({ schema }) => schema !== service);
    expect(foreign.length).toBeGreaterThan(40);
    const reached: string[] = [];
    for (const url of databaseUrls(service)) {
      await connected(url, async (client) => {
        for (const { name } of foreign) {
          for (const statement of [`SELECT 1 FROM ${name} LIMIT 1`, `DELETE FROM ${name} WHERE false`]) {
            if (await succeeds(client.query(statement))) reached.push(`${url.username}: ${statement}`);
          }
        }
      });
    }
    expect(reached).toEqual([]);
  });

  it.each(SERVICES)(
    '%s: no role but its two that serve can be logged in as, so no table be altered',
    async (service) => {
      const urls = databaseUrls(service);
      expect(urls.map((url) => url.username).sort()).toEqual([`${service}_app`, `${service}_worker`]);
      const { rows } = await superuser.query<{ role: string }>(
        'SELECT rolname AS role FROM pg_roles WHERE rolcanlogin',
      );
      expect(rows.length).toBe(3 * SERVICES.length + 1);
      const reached: string[] = [];
      for (const url of urls) {
        for (const { role } of rows.filter((row) => row.role !== url.username)) {
          const attempt = new URL(url);
          attempt.username = role;
          if (await succeeds(connected(attempt, (client) => client.query('SELECT 1'))))
            reached.push(`${url.username} → ${role}`);
        }
      }
      expect(reached).toEqual([]);
      const own = tables.filter(({ schema }) => schema === service);
      for (const url of urls) {
        await connected(url, async (client) => {
          const altering = [
            `CREATE TABLE ${service}.intruder (x int)`,
            ...own.map(({ name }) => `ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY`),
            `SET ROLE ${service}_owner`,
          ];
          for (const statement of altering) if (await succeeds(client.query(statement))) reached.push(statement);
        });
      }
      expect(reached).toEqual([]);
    },
  );

  it.each(SERVICES)('%s: only its own events can be published, and no others be listened to', async (service) => {
    const probe = await probeNats(environments[service]['NATS_URL']!);
    const published: string[] = [];
    for (const [kind, subject] of Object.entries(contracts.EVENT_SUBJECTS)) {
      if (await probe.mayPublish(`${subject}.tnt_x.wsp_x.mem_x`)) published.push(kind);
    }
    const publishers = Object.entries(contracts.EVENT_PUBLISHERS) as [string, readonly string[]][];
    expect(published).toEqual(publishers.filter(([, allowed]) => allowed.includes(service)).map(([kind]) => kind));
    const heard: string[] = [];
    for (const subject of ['>', 'cairn.>', 'cairn.event.>', 'cairn.dead.>', '_INBOX.>', '$JS.>', '$SYS.>'])
      if (await probe.maySubscribe(subject)) heard.push(subject);
    for (const other of SERVICES) if (await probe.maySubscribe(`_INBOX_${other}.>`)) heard.push(`replies to ${other}`);
    expect(heard).toEqual([`replies to ${service}`]);
    probe.close();
  });

  it.each(PARTS)('%s: only the calls that it needs are answered', async (part) => {
    const jwk = JSON.parse(await readFile(environments[part]['CAIRN_SIGNING_KEY_FILE']!, 'utf8'));
    const token = createServiceTokenSource(await createTokenSigner(jwk), part);
    const reached: string[] = [];
    for (const [address, service] of await grpcServices()) {
      const client = rpcClient(service, address, token) as unknown as Record<
        string,
        (request: object) => Promise<unknown>
      >;
      for (const method of service.methods) {
        const call = `${service.name}.${method.name}`;
        if (ALLOWED_CALLS[part].includes(service.name) || ALLOWED_CALLS[part].includes(call)) continue;
        const refusal = await client[method.localName]!({}).then(
          () => null,
          (error: { code: string }) => error.code,
        );
        if (refusal !== 'permission_denied' && refusal !== 'identity_invalid') reached.push(`${call}: ${refusal}`);
      }
      client['close']!({});
    }
    expect(reached).toEqual([]);
  });

  it.each(PARTS)('%s: nothing in it is a secret of another part, nor says where one lies', async (part) => {
    const everyone = await cairn.ownedSecrets();
    expect(new Set(everyone.map(({ secret }) => secret)).size).toBe(everyone.length);
    const values = Object.values(environments[part]);
    const files = values.filter((value) => isAbsolute(value) && value.endsWith('.json'));
    const text = [...values, ...(await Promise.all(files.map((file) => readFile(file, 'utf8'))))].join('\n');
    const held = everyone.filter(({ secret }) => text.includes(secret)).map(({ owner }) => owner);
    const own = part === 'gateway' ? ['signing'] : ['app', 'worker', 'nats', 'signing'];
    expect(held).toEqual(own.map((what) => `${part} ${what}`));
  });
});

/** Every gRPC service of the installation with its address; the gateway's own is known to keys alone. */
async function grpcServices(): Promise<[string, GrpcService][]> {
  const { tenancy, research } = environments;
  const addresses: Record<Service, string> = {
    keys: tenancy['CAIRN_KEYS_GRPC']!,
    tenancy: research['CAIRN_TENANCY_GRPC']!,
    memory: tenancy['CAIRN_MEMORY_GRPC']!,
    research: tenancy['CAIRN_RESEARCH_GRPC']!,
    webhooks: tenancy['CAIRN_WEBHOOKS_GRPC']!,
    usage: tenancy['CAIRN_USAGE_GRPC']!,
  };
  const services: [string, GrpcService][] = [];
  for (const exported of Object.values(contracts)) {
    if (typeof exported !== 'object' || !('kind' in exported) || exported.kind !== 'service') continue;
    const owner = exported.typeName.split('.')[1] as Service | 'gateway' | 'events';
    // Whoever publishes events can publish them again.
    if (owner === 'events')
      for (const publisher of ['keys', 'tenancy', 'memory', 'research'] as const)
        services.push([addresses[publisher], exported]);
    else if (owner !== 'gateway') services.push([addresses[owner], exported]);
  }
  expect(services.length).toBeGreaterThan(15);
  return services;
}
