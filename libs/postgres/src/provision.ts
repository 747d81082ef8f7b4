import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface ServiceRoles {
  /** Runs migrations and owns the tables. */
  ownerUrl: string;
  /** Serves requests: bound by row-level security to the tenant of the transaction. */
  url: string;
  /** Runs background work: sees other tenants' rows only through policies that name it. */
  workerUrl: string;
}

const ROLE_KINDS = ['owner', 'app', 'worker'] as const;
type RoleKind = (typeof ROLE_KINDS)[number];

/** A password per role: whoever serves requests must not be able to log in as the owner of the tables. */
export type RolePasswords = Record<RoleKind, string>;

interface ProvisionOptions {
  superuserUrl: string;
  database: string;
  /** Also the schema's name and the prefix of the roles: `<service>_owner`, `<service>_app`, `<service>_worker`. */
  service: string;
  passwords: RolePasswords;
}

const PASSWORD_BYTES = 24;

/** Fresh random passwords for the three roles of a service. */
export function generateRolePasswords(): RolePasswords {
  const random = () => randomBytes(PASSWORD_BYTES).toString('base64url');
  return { owner: random(), app: random(), worker: random() };
}

/**
 * Creates a service's database, schema and its three roles, or brings their passwords up to date. None of
 * the roles is a superuser or may bypass row-level security.
 */
export async function provisionService(options: ProvisionOptions): Promise<ServiceRoles> {
  const roleOf = (kind: RoleKind) => `${options.service}_${kind}`;
  const target = new URL(options.superuserUrl);
  target.pathname = `/${options.database}`;
  // Roles belong to the whole server, so one lock in one place orders everyone who provisions on it.
  await connected(options.superuserUrl, async (maintenance) => {
    await maintenance.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', ['cairn:provision']);
    await ensureDatabase(maintenance, options.database);
    for (const kind of ROLE_KINDS) await ensureRole(maintenance, roleOf(kind), kind, options);
    await connected(target.href, (client) => prepareSchema(client, options.service, ROLE_KINDS.map(roleOf)));
  });
  const urlFor = (kind: RoleKind) => {
    const url = new URL(target.href);
    url.username = roleOf(kind);
    url.password = options.passwords[kind];
    return url.href;
  };
  return { ownerUrl: urlFor('owner'), url: urlFor('app'), workerUrl: urlFor('worker') };
}

async function ensureDatabase(client: pg.Client, database: string): Promise<void> {
  const exists = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
  if (exists.rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
}

async function ensureRole(
  client: pg.Client,
  role: string,
  kind: RoleKind,
  { passwords, database, service }: ProvisionOptions,
): Promise<void> {
  const exists = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  const attributes = `LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE PASSWORD ${pg.escapeLiteral(passwords[kind])}`;
  await client.query(`${exists.rowCount === 0 ? 'CREATE' : 'ALTER'} ROLE ${pg.escapeIdentifier(role)} ${attributes}`);
  await client.query(
    `ALTER ROLE ${pg.escapeIdentifier(role)} IN DATABASE ${pg.escapeIdentifier(database)} SET search_path TO ${pg.escapeIdentifier(service)}`,
  );
}

async function prepareSchema(client: pg.Client, service: string, roles: readonly string[]): Promise<void> {
  const schema = pg.escapeIdentifier(service);
  const [owner, app, worker] = roles.map((role) => pg.escapeIdentifier(role));
  const forOwner = `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${schema}`;
  await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${owner}`);
  await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${app}, ${worker}`);
  await client.query(`${forOwner} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${app}, ${worker}`);
  await client.query(`${forOwner} GRANT USAGE ON SEQUENCES TO ${app}, ${worker}`);
}

async function connected(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
