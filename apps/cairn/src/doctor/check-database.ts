import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase, FOUNDATION_MIGRATIONS, type Tx } from '@cairn/postgres';
import { DATABASE_SERVICES, type DatabaseService } from '../up/engines.ts';
import { serviceFile } from '../up/service-process.ts';
import { clockFinding } from './check-gateway.ts';
import { failed, type Finding, messageOf, ok, warning } from './finding.ts';
import { checkQueues } from './check-queues.ts';

const POSTGRES_MIN = 17;
const CONNECTIONS_WARNING_SHARE = 0.8;
const LONG_TRANSACTION_SECONDS = 600;

/** The database of the services, as its administrator sees it; nothing is changed. */
export async function checkDatabase(adminUrl: string): Promise<Finding[]> {
  const database = createDatabase({ url: adminUrl, applicationName: 'cairn:doctor', poolMax: 1 });
  const inSnapshot = <T>(work: (tx: Tx) => Promise<T>) => database.transaction(work, { mode: 'snapshot' });
  try {
    const findings = await inSnapshot(checkServer);
    const there = await inSnapshot(findSchemas);
    for (const service of DATABASE_SERVICES)
      if (!there.has(service))
        findings.push(failed(`schema ${service}`, 'It does not exist.', 'Run “cairn operator provision” and migrate.'));
    const services = DATABASE_SERVICES.filter((service) => there.has(service));
    findings.push(...(await inSnapshot((tx) => checkRoles(tx))), ...(await inSnapshot(checkRowSecurity)));
    for (const service of services) findings.push(await inSnapshot((tx) => checkMigrations(tx, service)));
    // A schema that is behind may lack what the queues are read from.
    const migrated = services.filter(
      (service) => findings.find(({ check }) => check === `migrations ${service}`)?.status === 'ok',
    );
    return [...findings, ...(await inSnapshot((tx) => checkQueues(tx, migrated)))];
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const action = 'Check the server, its max_connections, and --admin-url with the name of the database.';
    return [failed('database', `PostgreSQL cannot be asked: ${messageOf(cause)}`, action)];
  } finally {
    await database.close();
  }
}

async function checkServer(tx: Tx): Promise<Finding[]> {
  const [server] = await tx.query<{
    version: string;
    number: number;
    now_ms: number;
    used: number;
    max: number;
    long: number;
  }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
            (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms,
            (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
            current_setting('max_connections')::int AS max,
            (SELECT count(*) FROM pg_stat_activity WHERE xact_start < now() - make_interval(secs => $1)) AS long`,
    [LONG_TRANSACTION_SECONDS],
  );
  const { version, number, now_ms, used, max, long } = server!;
  const connections = `${used} of ${max} connections are in use.`;
  return [
    number >= POSTGRES_MIN * 10_000
      ? ok('database', `PostgreSQL ${version} answers.`)
      : failed('database', `PostgreSQL ${version} is too old.`, `Use version ${POSTGRES_MIN} or later.`),
    clockFinding('database clock', Date.now() - now_ms),
    used / max > CONNECTIONS_WARNING_SHARE
      ? warning('connections', connections, 'Raise max_connections, or lower DATABASE_POOL_MAX or the replicas.')
      : ok('connections', connections),
    long > 0
      ? warning(
          'long transactions',
          `${long} transactions are older than ten minutes.`,
          'Find them in pg_stat_activity: they keep VACUUM from its work, and may hold locks.',
        )
      : ok('long transactions', 'No transaction is older than ten minutes.'),
  ];
}

async function findSchemas(tx: Tx): Promise<Set<string>> {
  const rows = await tx.query<{ name: string }>('SELECT nspname AS name FROM pg_namespace WHERE nspname = ANY($1)', [
    DATABASE_SERVICES,
  ]);
  return new Set(rows.map(({ name }) => name));
}

const ROLE_KINDS = ['owner', 'app', 'worker'];

/** All roles of the services are there, and none may bypass row-level security. */
async function checkRoles(tx: Tx): Promise<Finding[]> {
  const wanted = DATABASE_SERVICES.flatMap((service) => ROLE_KINDS.map((kind) => `${service}_${kind}`));
  const rows = await tx.query<{ name: string; mighty: boolean }>(
    `SELECT rolname AS name, rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb AS mighty
       FROM pg_roles WHERE rolname = ANY($1)`,
    [wanted],
  );
  const there = new Set(rows.map(({ name }) => name));
  const missing = wanted.filter((name) => !there.has(name));
  const mighty = rows.filter((row) => row.mighty).map(({ name }) => name);
  const findings: Finding[] = [];
  if (missing.length > 0)
    findings.push(failed('roles', `Missing: ${missing.join(', ')}.`, 'Run “cairn operator provision”.'));
  if (mighty.length > 0)
    findings.push(
      failed(
        'roles',
        `Too powerful: ${mighty.join(', ')}.`,
        'Take SUPERUSER, BYPASSRLS, CREATEROLE and CREATEDB from them; “cairn operator provision” does.',
      ),
    );
  return findings.length > 0 ? findings : [ok('roles', `${wanted.length} roles, none of which bypasses row security.`)];
}

/** Every table with a tenant forces its row-level security. */
async function checkRowSecurity(tx: Tx): Promise<Finding[]> {
  const open = await tx.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'p') AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
        AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped)
        AND NOT c.relispartition ORDER BY 1`,
    [DATABASE_SERVICES],
  );
  return open.length === 0
    ? [ok('row security', 'It is forced on every table that has a tenant.')]
    : [
        failed(
          'row security',
          `It is not forced on ${open.map(({ name }) => name).join(', ')}.`,
          'Somebody has changed these tables: ALTER TABLE … FORCE ROW LEVEL SECURITY, and find out who.',
        ),
      ];
}

/** Every migration of this version has been applied. */
async function checkMigrations(tx: Tx, service: DatabaseService): Promise<Finding> {
  const check = `migrations ${service}`;
  const folder = join(serviceFile(service, 'migrate.ts'), '..');
  const folders = [FOUNDATION_MIGRATIONS, join(folder, 'migrations'), join(folder, 'ledger', 'migrations')];
  const needed = (await Promise.all(folders.map((each) => readdir(each).catch(() => []))))
    .flat()
    .filter((file) => file.endsWith('.sql'));
  const [exists] = await tx.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
    `${service}.schema_migrations`,
  ]);
  const applied = exists!.there
    ? await tx.query<{ name: string }>(`SELECT name FROM ${service}.schema_migrations`)
    : [];
  const known = new Set(applied.map(({ name }) => name));
  const missing = needed.filter((name) => !known.has(name));
  const newer = known.size - (needed.length - missing.length);
  if (missing.length > 0)
    return failed(
      check,
      `Not applied: ${missing.join(', ')}.`,
      'Run “cairn operator migrate”, or the service with “migrate”.',
    );
  const more = newer > 0 ? `, and ${newer} of a later version` : '';
  return ok(check, `${needed.length} are applied${more}.`);
}
