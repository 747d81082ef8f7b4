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
  /**
   * Prefix of the roles instead of the service's name, for one of several databases of the service on a server. Nobody
   * else may connect to that database, and `bindPolicies` must follow the migrations.
   */
  rolePrefix?: string;
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
  const { service, database, rolePrefix = service } = options;
  const roleOf = (kind: RoleKind) => `${rolePrefix}_${kind}`;
  const target = new URL(options.superuserUrl);
  target.pathname = `/${database}`;
  // Roles belong to the whole server, so one lock in one place orders everyone who provisions on it.
  await connected(options.superuserUrl, async (maintenance) => {
    await maintenance.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', ['cairn:provision']);
    await ensureDatabase(maintenance, database);
    for (const kind of ROLE_KINDS) await ensureRole(maintenance, roleOf(kind), kind, options);
    if (rolePrefix !== service) await keepOthersOut(maintenance, { service, database, roles: ROLE_KINDS.map(roleOf) });
    await connected(target.href, (client) => prepareSchema(client, service, ROLE_KINDS.map(roleOf)));
  });
  const urlFor = (kind: RoleKind) => {
    const url = new URL(target.href);
    url.username = roleOf(kind);
    url.password = options.passwords[kind];
    return url.href;
  };
  return { ownerUrl: urlFor('owner'), url: urlFor('app'), workerUrl: urlFor('worker') };
}

/**
 * Migrations name the service's background role, which has no rights in a database whose roles have another prefix: the
 * policies are given to the role that has it there. Repeated after each migration.
 */
export async function bindPolicies(options: { ownerUrl: string; service: string; rolePrefix: string }): Promise<void> {
  const { service, rolePrefix } = options;
  const worker = pg.escapeIdentifier(`${rolePrefix}_worker`);
  const app = pg.escapeIdentifier(`${rolePrefix}_app`);
  await connected(options.ownerUrl, async (client) => {
    const policies = await client.query<{ tablename: string; policyname: string }>(
      'SELECT tablename, policyname FROM pg_policies WHERE schemaname = $1 AND roles = ARRAY[$2]::name[]',
      [service, `${service}_worker`],
    );
    for (const { tablename, policyname } of policies.rows) {
      const table = `${pg.escapeIdentifier(service)}.${pg.escapeIdentifier(tablename)}`;
      await client.query(`ALTER POLICY ${pg.escapeIdentifier(policyname)} ON ${table} TO ${worker}`);
    }
    const migrations = `${pg.escapeIdentifier(service)}.schema_migrations`;
    const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
      migrations,
    ]);
    if (rows[0]?.found === true)
      await client.query(`REVOKE INSERT, UPDATE, DELETE ON ${migrations} FROM ${app}, ${worker}`);
  });
}

/** Deletes a database that has roles of its own, with them; whoever is connected is cut off. Idempotent. */
export async function removeDatabase(options: {
  superuserUrl: string;
  database: string;
  rolePrefix: string;
}): Promise<void> {
  await connected(options.superuserUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(options.database)} WITH (FORCE)`);
    for (const kind of ROLE_KINDS)
      await client.query(`DROP ROLE IF EXISTS ${pg.escapeIdentifier(`${options.rolePrefix}_${kind}`)}`);
  });
}

async function keepOthersOut(
  client: pg.Client,
  { service, database, roles }: { service: string; database: string; roles: readonly string[] },
): Promise<void> {
  const name = pg.escapeIdentifier(database);
  await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  await client.query(
    `GRANT CONNECT ON DATABASE ${name} TO ${roles.map((role) => pg.escapeIdentifier(role)).join(', ')}`,
  );
  // Migrations name it in policies, so it has to be there.
  const worker = `${service}_worker`;
  const exists = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [worker]);
  if (exists.rowCount === 0) await client.query(`CREATE ROLE ${pg.escapeIdentifier(worker)} NOLOGIN`);
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
