import pg from 'pg';

export interface ServiceRoles {
  /** Runs migrations and owns the tables. */
  ownerUrl: string;
  /** Serves requests: bound by row-level security to the tenant of the transaction. */
  url: string;
  /** Runs background work: sees other tenants' rows only through policies that name it. */
  workerUrl: string;
}

export interface ProvisionOptions {
  superuserUrl: string;
  database: string;
  /** Also the schema's name and the prefix of the roles: `<service>_owner`, `<service>_app`, `<service>_worker`. */
  service: string;
  password: string;
}

/**
 * Creates a service's database, schema and its three roles, or brings their passwords up to date. None of
 * the roles is a superuser or may bypass row-level security.
 */
export async function provisionService(options: ProvisionOptions): Promise<ServiceRoles> {
  await ensureDatabase(options.superuserUrl, options.database);
  const url = new URL(options.superuserUrl);
  url.pathname = `/${options.database}`;
  const roles = (['owner', 'app', 'worker'] as const).map((kind) => `${options.service}_${kind}`);
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const schema = pg.escapeIdentifier(options.service);
    const [owner, app, worker] = roles.map((role) => pg.escapeIdentifier(role));
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`cairn:provision`]);
    for (const role of roles) {
      const exists = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
      const attributes = `LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE PASSWORD ${pg.escapeLiteral(options.password)}`;
      await client.query(`${exists.rowCount === 0 ? 'CREATE' : 'ALTER'} ROLE ${pg.escapeIdentifier(role)} ${attributes}`);
    }
    await client.query(`REVOKE ALL ON SCHEMA public FROM PUBLIC`);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${owner}`);
    await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${app}, ${worker}`);
    await client.query(
      `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${app}, ${worker}`,
    );
    await client.query(
      `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${schema} GRANT USAGE ON SEQUENCES TO ${app}, ${worker}`,
    );
    for (const role of roles) {
      await client.query(`ALTER ROLE ${pg.escapeIdentifier(role)} IN DATABASE ${pg.escapeIdentifier(options.database)} SET search_path TO ${schema}`);
    }
  } finally {
    await client.end();
  }
  const urlFor = (role: string) => {
    const copy = new URL(url.href);
    copy.username = role;
    copy.password = options.password;
    return copy.href;
  };
  return { ownerUrl: urlFor(roles[0]!), url: urlFor(roles[1]!), workerUrl: urlFor(roles[2]!) };
}

async function ensureDatabase(superuserUrl: string, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', ['cairn:provision']);
    const exists = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (exists.rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}
