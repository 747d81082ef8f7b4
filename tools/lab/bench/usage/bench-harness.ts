import { type EmbeddedNats, startNats, startPostgres } from '@cairn/embedded';
import {
  BINDING_HEADER,
  createRequestBinder,
  createServiceTokenSource,
  createTokenSigner,
  generateRequestKey,
  generateSigningKey,
  type Identity,
  IDENTITY_HEADER,
  requestKeysOf,
  type ServiceTokenSource,
} from '@cairn/identity';
import {
  FOUNDATION_MIGRATIONS,
  generateRolePasswords,
  migrate,
  provisionService,
  type ServiceRoles,
} from '@cairn/postgres';
import pg from 'pg';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRICES } from '../../../../apps/usage/tests/prices.ts';
import { type ServiceProcess, startServiceProcess } from '../../../../apps/usage/tests/service-process.ts';

/** Engines and the usage service as processes of their own, with durable commits and the embedded start's settings. */
export interface BenchHarness {
  roles: ServiceRoles;
  superuser: pg.Client;
  natsUrl: string;
  postgresVersion: string;
  service: ServiceProcess;
  /** A second process of it; whoever starts it stops it. */
  startAnother(): Promise<ServiceProcess>;
  /** First processes of the service, PostgreSQL and the broker that run now. */
  roots(): number[];
  /** The headers with which a gateway would forward the caller's GET. */
  headersFor(identity: Identity, target: string): Promise<Record<string, string>>;
  serviceTokens(name: 'research' | 'operator'): ServiceTokenSource;
  remove(): Promise<void>;
}

const MIGRATIONS = join(import.meta.dirname, '..', '..', '..', '..', 'apps', 'usage', 'src', 'migrations');
const CLIENTS = ['gateway', 'research', 'operator', 'usage'] as const;

export async function startBenchHarness(prices: object = PRICES): Promise<BenchHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-usage-'));
  await chmod(folder, 0o755);
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  const nats = await startNats({ dataDir: join(folder, 'nats'), cacheDir: join(homedir(), '.cache', 'cairn') });
  const { roles } = await provisionService({
    superuserUrl: postgres.superuserUrl,
    database: 'bench',
    service: 'usage',
    passwords: generateRolePasswords(),
  });
  await migrate({ ownerUrl: roles.ownerUrl, schema: 'usage', directories: [FOUNDATION_MIGRATIONS, MIGRATIONS] });
  const superuserUrl = new URL(postgres.superuserUrl);
  superuserUrl.pathname = '/bench';
  const superuser = new pg.Client({ connectionString: superuserUrl.href });
  await superuser.connect();
  await superuser.query('SET search_path TO usage');
  const version = await superuser.query<{ server_version: string }>('SHOW server_version');
  const signers = await makeSigners(folder);
  const requestKeys = [generateRequestKey('usage')];
  await writeFile(join(folder, 'requests.json'), JSON.stringify({ keys: requestKeys }), { mode: 0o600 });
  const bind = createRequestBinder(requestKeysOf(requestKeys, 'usage')[0]!);
  const env = await serviceEnv(folder, roles, nats, prices);
  const service = await startServiceProcess(env);
  return {
    roles,
    superuser,
    natsUrl: nats.url,
    service,
    startAnother: () => startServiceProcess(env),
    postgresVersion: version.rows[0]!.server_version,
    roots: () => [service.pid(), postgres.pid, nats.pid],
    async headersFor(identity, target) {
      const token = await signers.gateway.signIdentity(identity, 'usage');
      return { [IDENTITY_HEADER]: token, [BINDING_HEADER]: bind({ method: 'GET', target, token }) };
    },
    serviceTokens: (name) => createServiceTokenSource(signers[name], name),
    async remove() {
      await service.stop();
      await superuser.end();
      await nats.stop();
      await postgres.stop('immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function makeSigners(folder: string) {
  const made = await Promise.all(
    CLIENTS.map(async (name) => {
      const { privateJwk, publicJwk } = await generateSigningKey(name);
      await writeFile(join(folder, `${name}.json`), JSON.stringify(privateJwk), { mode: 0o600 });
      return { name, publicJwk, signer: await createTokenSigner(privateJwk) };
    }),
  );
  await writeFile(join(folder, 'jwks.json'), JSON.stringify({ keys: made.map(({ publicJwk }) => publicJwk) }));
  type Signer = (typeof made)[number]['signer'];
  return Object.fromEntries(made.map(({ name, signer }) => [name, signer])) as Record<(typeof CLIENTS)[number], Signer>;
}

async function serviceEnv(
  folder: string,
  roles: ServiceRoles,
  nats: EmbeddedNats,
  prices: object,
): Promise<Record<string, string>> {
  const pricesFile = join(folder, 'prices.json');
  await writeFile(pricesFile, JSON.stringify(prices));
  return {
    DATABASE_URL: roles.url,
    DATABASE_WORKER_URL: roles.workerUrl,
    NATS_URL: nats.url,
    CAIRN_SIGNING_KEY_FILE: join(folder, 'usage.json'),
    CAIRN_JWKS_FILE: join(folder, 'jwks.json'),
    CAIRN_REQUEST_KEYS_FILE: join(folder, 'requests.json'),
    // Nobody there: every tenant of a bench is told of by an event.
    CAIRN_TENANCY_GRPC: '127.0.0.1:9',
    CAIRN_PRICES_FILE: pricesFile,
  };
}
