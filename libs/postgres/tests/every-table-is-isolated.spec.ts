import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import { FOUNDATION_MIGRATIONS } from '../src/index.ts';
import { asSuperuser } from './notes-schema.ts';

const APPS = join(import.meta.dirname, '..', '..', '..', 'apps');
const LEDGER_MIGRATIONS = join(APPS, 'research', 'src', 'ledger', 'migrations');
const migrationsOf = (service: string) => join(APPS, service, 'src', 'migrations');
/** Folders of libraries whose tables lie in a service's schema, before its own. */
const BEFORE: Record<string, string[]> = { research: [LEDGER_MIGRATIONS] };
const SERVICES = readdirSync(APPS).filter((service) => existsSync(migrationsOf(service)));

/** Tables without a tenant: what they hold belongs to nobody. Anything else needs a tenant_id. */
const WITHOUT_TENANT = ['inbox', 'restore_state', 'schema_migrations', 'wal_origin'];
const ALSO_WITHOUT_TENANT: Record<string, string[]> = {
  // Clients that registered themselves and belong to nobody yet, leases of gateways, denials that were begun, buckets of
  // rates, and how far each boot of a gateway has reported.
  keys: ['app_clients', 'gateway_leases', 'open_denials', 'rate_buckets', 'sign_in_attempts', 'usage_reports'],
  // Servers are the operator's. Their secrets are for background work alone, which a spec of tenancy proves.
  tenancy: ['engine_secrets', 'engines'],
  // Whose turn it is on a host of the web; says nothing of who asks for what there.
  research: ['crawl_hosts'],
  // Which model's vectors are wanted, and which index the engine's search cluster has.
  memory: ['embedding_models', 'search_cluster_index'],
  // How fast deliveries may go; a host is shared by all tenants who send to it.
  webhooks: ['delivery_budgets'],
  // What prices are, and which nights were checked.
  usage: ['price_versions', 'rollup_checks'],
};

/** Functions with their owner's rights, each proven harmless by a spec of its service. */
const WITH_OWNERS_RIGHTS: Record<string, string[]> = {
  // Makes empty partitions, and gives and takes no row.
  usage: ['make_usage_month'],
  // Has keys of changed rows noted under the tenants' policies, and let numbers out. None shows or takes a row.
  memory: ['next_search_version', 'skip_graph_names', 'watch_moving_memory'],
};

/** Tables that the background role works on across tenants. Adding one is a decision, so it is written here too. */
const CROSSED_BY_WORKER: Record<string, string[]> = {
  keys: [
    'api_keys',
    // Codes and tokens say by their hash alone whose they are; the sweep ends all of them.
    'app_codes',
    'app_tokens',
    'connected_apps',
    'console_sessions',
    'console_tickets',
    'idempotency_keys',
    'member_invitations',
    'members',
    'oauth_clients',
    'oauth_tokens',
    'outbox',
    'published_events',
    'quota_holds',
    'quota_months',
    'request_counts',
    'tenants',
  ],
  memory: [
    'chunk_embeddings',
    'chunks',
    'document_jobs',
    'document_originals',
    'documents',
    'embedding_queue',
    'failed_content',
    'graph_memories',
    'idempotency_keys',
    'index_garbage',
    'index_memories',
    'index_merge_leases',
    'index_pages',
    // Where each memory's index is, and what is to be sent there: the indexer works for all.
    'index_placements',
    'index_segments',
    'index_sends',
    'index_tombstones',
    'ingest_queue',
    // Where memories move, which background work leaves alone, and what it changed of one that does.
    'memory_changes',
    'memory_moves',
    'outbox',
    'published_events',
    'search_changes',
    'search_log',
    'search_log_settings',
    'storage_changes',
  ],
  research: [
    'charge_intents',
    'closed_scopes',
    'computed_answers',
    'conflicts',
    'crawl_records',
    'crawl_shapes',
    'crawl_templates',
    'findings',
    'frontier',
    'idempotency_keys',
    'list_rows',
    'lists',
    'outbox',
    'published_events',
    'research_runs',
    'run_events',
    'run_messages',
    'run_steps',
    'runs',
    'sources',
    'successions',
    'uploads',
    'used_tickets',
  ],
  tenancy: [
    'idempotency_keys',
    'jobs',
    'memories',
    'outbox',
    'provider_keys',
    'published_events',
    'space_members',
    'spaces',
    'subdomains',
    'tenants',
    'workspaces',
  ],
  webhooks: [
    'closed_scopes',
    'dead_letters',
    'deliveries',
    'delivery_attempts',
    'delivery_queue',
    'event_positions',
    'fan_out_pauses',
    'idempotency_keys',
    'outbox',
    'pending_fan_outs',
    'published_events',
    'tenant_events',
    'webhook_events',
    'webhooks',
  ],
  usage: [
    'audit_events',
    'charges',
    'closed_tenants',
    'credit_accounts',
    'credit_grants',
    'idempotency_keys',
    'llm_calls',
    'llm_rollups',
    'outbox',
    'published_events',
    'tenants',
  ],
};

interface Table {
  name: string;
  has_tenant: boolean;
  enabled: boolean;
  forced: boolean;
  policies: { name: string; roles: string[]; using: string | null; check: string | null; command: string }[];
}

async function tablesOf(database: TestDatabase, schema: string): Promise<Table[]> {
  return asSuperuser<Table>(
    database,
    `SELECT c.relname AS name, c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced,
            EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped) AS has_tenant,
            coalesce((SELECT json_agg(json_build_object('name', p.policyname, 'roles', p.roles, 'using', p.qual,
                                                        'check', p.with_check, 'command', p.cmd) ORDER BY p.policyname)
                        FROM pg_policies p WHERE p.schemaname = n.nspname AND p.tablename = c.relname), '[]') AS policies
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') ORDER BY 1`,
    [schema],
  );
}

it('is proven for every service that has migrations', () => {
  expect(SERVICES).toEqual(expect.arrayContaining(['keys', 'memory', 'tenancy']));
});

describe.each(SERVICES)('in the schema of %s', (service) => {
  let database: TestDatabase;
  let tables: Table[];
  beforeAll(async () => {
    database = await createTestDatabase({
      service,
      migrations: [FOUNDATION_MIGRATIONS, ...(BEFORE[service] ?? []), migrationsOf(service)],
    });
    tables = await tablesOf(database, service);
  });
  afterAll(() => database.close());

  it('every table names its tenant, or is on the list of those that have none', () => {
    expect(tables.filter((table) => !table.has_tenant).map((table) => table.name)).toEqual(
      [...WITHOUT_TENANT, ...(ALSO_WITHOUT_TENANT[service] ?? [])].sort(),
    );
  });

  it('every tenant table has row-level security enabled and forced', () => {
    const open = tables.filter((table) => table.has_tenant && !(table.enabled && table.forced));
    expect(open.map((table) => table.name)).toEqual([]);
  });

  it('every tenant table has the policy, and it compares with the current tenant', () => {
    for (const table of tables.filter(({ has_tenant }) => has_tenant)) {
      const policy = table.policies.find(({ name }) => name === 'tenant_isolation');
      expect({ table: table.name, using: policy?.using }).toEqual({
        table: table.name,
        using: expect.stringContaining(`tenant_id = ${service}.current_tenant()`),
      });
    }
  });

  it('no other policy widens what the serving role sees', () => {
    const wider = tables.flatMap((table) =>
      table.policies
        .filter(({ name, roles }) => name !== 'tenant_isolation' && roles.join() !== `${service}_worker`)
        .map(({ name }) => `${table.name}.${name}`),
    );
    expect(wider).toEqual([]);
  });

  it('no view, materialised view or function with its definer’s rights leads around the policies', async () => {
    const ways = await asSuperuser<{ name: string }>(
      database,
      `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('v', 'm', 'f')
       UNION ALL SELECT p.proname FROM pg_proc p WHERE p.pronamespace = $1::regnamespace AND p.prosecdef`,
      [service],
    );
    expect(ways.map(({ name }) => name).sort()).toEqual(WITH_OWNERS_RIGHTS[service] ?? []);
  });

  it('the background role crosses tenants on the listed tables only', () => {
    const crossed = tables.filter(({ policies }) => policies.some(({ roles }) => roles.includes(`${service}_worker`)));
    expect(crossed.map(({ name }) => name)).toEqual(CROSSED_BY_WORKER[service]);
    expect(crossed.every(({ has_tenant }) => has_tenant)).toBe(true);
  });
});
