import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { isVerifierOf, scramVerifier } from './scram-verifier.ts';

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

interface RolesOfService {
  superuserUrl: string;
  /** Prefix of the roles: `<service>_owner`, `<service>_app`, `<service>_worker`. */
  service: string;
  passwords: RolePasswords;
  /**
   * Prefix of the roles instead of the service's name, for one of several databases of the service on a server. Nobody
   * else may connect to that database, and `bindPolicies` must follow the migrations.
   */
  rolePrefix?: string;
}

interface ProvisionOptions extends RolesOfService {
  database: string;
  /**
   * Gives roles that exist these passwords, whatever theirs are. Otherwise a role with another password is refused:
   * it may be another installation's, since roles belong to the whole server.
   */
  replacePasswords?: boolean;
}

interface Provisioned {
  roles: ServiceRoles;
  /** The database was there before, and every role of the server may still use its schema `public`. */
  publicSchemaOpen: boolean;
}

const PASSWORD_BYTES = 24;
/** Parameters of an administrator's URL that say how to reach the server; all others say who the administrator is. */
const SERVER_PARAMETERS = new Set([
  'sslmode',
  'sslrootcert',
  'sslnegotiation',
  'uselibpqcompat',
  'host',
  'port',
  'target_session_attrs',
  'connect_timeout',
]);

/** Fresh random passwords for the three roles of a service. */
export function generateRolePasswords(): RolePasswords {
  const random = () => randomBytes(PASSWORD_BYTES).toString('base64url');
  return { owner: random(), app: random(), worker: random() };
}

/**
 * Creates a service's database, schema (called like the service) and its three roles. None of the roles is a superuser
 * or may bypass row-level security. May be repeated. Throws before it changes anything when a role exists with another
 * password, unless `replacePasswords`.
 */
export async function provisionService(options: ProvisionOptions): Promise<Provisioned> {
  const { service, database, rolePrefix = service } = options;
  const roleOf = (kind: RoleKind) => `${rolePrefix}_${kind}`;
  const target = targetUrl(options);
  let publicSchemaOpen = false;
  // Roles belong to the whole server, so one lock in one place orders everyone who provisions on it.
  await connected(options.superuserUrl, async (maintenance) => {
    await maintenance.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', ['cairn:provision']);
    const differing = await differingRoles(maintenance, options);
    if (differing.length > 0 && options.replacePasswords !== true)
      throw new Error(`these roles exist with other passwords: ${differing.join(', ')}`);
    const created = await ensureDatabase(maintenance, database);
    for (const kind of ROLE_KINDS)
      await ensureRole(maintenance, roleOf(kind), options, {
        password: options.passwords[kind],
        differs: differing.includes(roleOf(kind)),
      });
    if (rolePrefix !== service)
      await revokeAccessOfOthers(maintenance, { service, database, roles: ROLE_KINDS.map(roleOf) });
    await connected(target.href, async (client) => {
      // A database of somebody else may have uses of the schema that this one cannot know.
      if (created) await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
      else publicSchemaOpen = await isPublicSchemaOpen(client);
      await prepareSchema(client, service, ROLE_KINDS.map(roleOf));
    });
  });
  const urlFor = (kind: RoleKind) => urlOfRole(target, roleOf(kind), options.passwords[kind]);
  const roles = { ownerUrl: urlFor('owner'), url: urlFor('app'), workerUrl: urlFor('worker') };
  return { roles, publicSchemaOpen };
}

/** Names of the service's roles that exist on the server with another password than given. */
export async function rolesWithOtherPasswords(options: RolesOfService): Promise<string[]> {
  let names: string[] = [];
  await connected(options.superuserUrl, async (client) => {
    names = await differingRoles(client, options);
  });
  return names;
}

function targetUrl(options: { superuserUrl: string; database: string }): URL {
  const target = new URL(options.superuserUrl);
  target.pathname = `/${options.database}`;
  return target;
}

/** The URL by which a role logs in: nothing of the administrator's own login is left in it. */
function urlOfRole(target: URL, role: string, password: string): string {
  const url = new URL(target.href);
  for (const name of [...url.searchParams.keys()]) if (!SERVER_PARAMETERS.has(name)) url.searchParams.delete(name);
  url.username = role;
  url.password = password;
  return url.href;
}

/**
 * Migrations name the service's roles, which have no rights in a database whose roles have another prefix: policies and
 * withdrawn rights are carried over to the roles there. Repeated after each migration.
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
    if (await tableExists(client, migrations))
      await client.query(`REVOKE INSERT, UPDATE, DELETE ON ${migrations} FROM ${app}, ${worker}`);
    const restoreState = `${pg.escapeIdentifier(service)}.restore_state`;
    if (await tableExists(client, restoreState)) await client.query(`REVOKE ALL ON ${restoreState} FROM ${app}`);
  });
}

async function tableExists(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [table]);
  return rows[0]?.found === true;
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

async function revokeAccessOfOthers(
  client: pg.Client,
  { service, database, roles }: { service: string; database: string; roles: readonly string[] },
): Promise<void> {
  const name = pg.escapeIdentifier(database);
  await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  await client.query(
    `GRANT CONNECT ON DATABASE ${name} TO ${roles.map((role) => pg.escapeIdentifier(role)).join(', ')}`,
  );
  // Migrations name both in policies and grants, so they have to be there.
  for (const role of [`${service}_app`, `${service}_worker`]) {
    const exists = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
    if (exists.rowCount === 0) await client.query(`CREATE ROLE ${pg.escapeIdentifier(role)} NOLOGIN`);
  }
}

async function differingRoles(client: pg.Client, options: RolesOfService): Promise<string[]> {
  const { service, rolePrefix = service, passwords } = options;
  const names = ROLE_KINDS.map((kind) => `${rolePrefix}_${kind}`);
  // A role that may not log in is nobody's: `revokeAccessOfOthers` creates one for the names of policies.
  const { rows } = await client.query<{ rolname: string }>(
    'SELECT rolname FROM pg_roles WHERE rolname = ANY($1) AND rolcanlogin',
    [names],
  );
  const existing = new Set(rows.map(({ rolname }) => rolname));
  const verifiers = await storedVerifiers(client, names);
  const differing: string[] = [];
  for (const kind of ROLE_KINDS) {
    const role = `${rolePrefix}_${kind}`;
    if (!existing.has(role)) continue;
    const same =
      verifiers === null
        ? await canLogIn(urlOfRole(new URL(options.superuserUrl), role, passwords[kind]))
        : await isVerifierOf(verifiers.get(role) ?? null, passwords[kind]);
    if (!same) differing.push(role);
  }
  return differing;
}

/** What the server stores of the roles' passwords; null where only a superuser is shown it. */
async function storedVerifiers(
  client: pg.Client,
  roles: readonly string[],
): Promise<Map<string, string | null> | null> {
  const allowed = await client.query<{ may: boolean }>(
    "SELECT has_table_privilege('pg_catalog.pg_authid', 'SELECT') AS may",
  );
  if (allowed.rows[0]?.may !== true) return null;
  const { rows } = await client.query<{ rolname: string; rolpassword: string | null }>(
    'SELECT rolname, rolpassword FROM pg_catalog.pg_authid WHERE rolname = ANY($1)',
    [roles],
  );
  return new Map(rows.map(({ rolname, rolpassword }) => [rolname, rolpassword]));
}

const INVALID_PASSWORD = '28P01';

async function canLogIn(url: string): Promise<boolean> {
  try {
    await connected(url, async () => undefined);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === INVALID_PASSWORD) return false;
    throw error;
  }
}

/** True when this call created it. */
async function ensureDatabase(client: pg.Client, database: string): Promise<boolean> {
  const exists = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
  if (exists.rowCount !== 0) return false;
  await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  return true;
}

async function ensureRole(
  client: pg.Client,
  role: string,
  { database, service }: ProvisionOptions,
  { password, differs }: { password: string; differs: boolean },
): Promise<void> {
  const { rows } = await client.query<{ rolcanlogin: boolean }>('SELECT rolcanlogin FROM pg_roles WHERE rolname = $1', [
    role,
  ]);
  const isNew = rows.length === 0;
  const attributes = ['LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE'];
  if (differs || rows[0]?.rolcanlogin !== true)
    attributes.push(`PASSWORD ${pg.escapeLiteral(await scramVerifier(password))}`);
  await client.query(`${isNew ? 'CREATE' : 'ALTER'} ROLE ${pg.escapeIdentifier(role)} ${attributes.join(' ')}`);
  await client.query(
    `ALTER ROLE ${pg.escapeIdentifier(role)} IN DATABASE ${pg.escapeIdentifier(database)} SET search_path TO ${pg.escapeIdentifier(service)}`,
  );
}

async function isPublicSchemaOpen(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ open: boolean | null }>(
    `SELECT bool_or(has_schema_privilege('public', oid, 'USAGE') OR has_schema_privilege('public', oid, 'CREATE')) AS open
     FROM pg_namespace WHERE nspname = 'public'`,
  );
  return rows[0]?.open === true;
}

async function prepareSchema(client: pg.Client, service: string, roles: readonly string[]): Promise<void> {
  const schema = pg.escapeIdentifier(service);
  const [owner, app, worker] = roles.map((role) => pg.escapeIdentifier(role));
  const forOwner = `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${schema}`;
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
