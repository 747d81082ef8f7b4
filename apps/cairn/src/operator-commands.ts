import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { EngineMessage, TenantSummary } from '@cairn/contracts';
import type { Command } from 'commander';
import { addBrokerCommands } from './broker-commands.ts';
import { addSearchCommands } from './search-commands.ts';
import type { Settings } from './settings.ts';
import { createTenant, createTenantKey } from './create-tenant.ts';
import { addInstallationOptions, type AsOperator } from './installation-options.ts';
import { type Operator, operatorOf, type OperatorService } from './operator.ts';
import { addInstallationCommands } from './provision/installation-commands.ts';
import { type Json, JSON_OPTION, printTable, type PrintLine } from './print-table.ts';
import { addMemoryCommands, printMoves } from './memory-commands.ts';
import { addUsageCommands } from './usage-commands.ts';

/** `operator`: commands for tenants, engines, usage, the broker, secrets, and the servers of an installation. */
export function addOperatorCommands(program: Command, settings: Settings, say: PrintLine): void {
  const operator = program.command('operator').description('run an installation: its tenants, engines and secrets');
  const asOperator: AsOperator = async (flags, work) => {
    const called = await operatorOf(settings, flags);
    try {
      await work(called);
    } finally {
      await called.close();
    }
  };
  addTenantCommands(operator, say, asOperator);
  addEngineCommands(operator, say, asOperator);
  addMemoryCommands(operator, say, asOperator);
  addSearchCommands(operator, say, asOperator);
  addUsageCommands(operator, say, asOperator);
  addBrokerCommands(operator, settings, say);
  addInstallationCommands(operator, settings, say);
  const secrets = operator.command('secrets').description('manage secrets that are encrypted at rest');
  secrets
    .command('reencrypt')
    .alias('reseal')
    .description('re-encrypt every stored secret with the first key of CAIRN_KEY_ENCRYPTION_KEYS_FILE')
    .option(...JSON_OPTION)
    .action((options: Json) =>
      asOperator(options, async ({ tenancy, webhooks }) => {
        const counts = await Promise.all([tenancy.reencryptSecrets({}), webhooks.reencryptSecrets({})]);
        const resealed = counts.reduce((sum, count) => sum + count.resealed, 0);
        say(options.json === true ? JSON.stringify({ resealed }) : `Re-encrypted ${resealed} secrets.`);
      }),
    );
  addInstallationOptions(secrets, () => ['tenancy', 'webhooks']);
}

function addTenantCommands(group: Command, say: PrintLine, asOperator: AsOperator): void {
  const tenant = group.command('tenant').description('manage the tenants of this installation');
  const show = (found: TenantSummary | undefined, options: Json) => say(lineOf(tenantOf(found!), options));
  addTenantKeyCommands(tenant, say, asOperator);
  tenant
    .command('list')
    .description('list the tenants and the number of their workspaces and memories')
    .option(...JSON_OPTION)
    .action((options: Json) =>
      asOperator(options, async ({ tenancy }) => {
        const { tenants } = await tenancy.listTenants({});
        printTable(say, options, tenants.map(tenantOf));
      }),
    );
  const withTenant = (
    name: string,
    description: string,
    change: (operator: Operator, tenantId: string) => Promise<TenantSummary | undefined>,
  ) =>
    tenant
      .command(name)
      .description(description)
      .argument('<tenant_id>')
      .option(...JSON_OPTION)
      .action((tenantId: string, options: Json) =>
        asOperator(options, async (operator) => show(await change(operator, tenantId), options)),
      );
  withTenant(
    'suspend',
    'reject every request of a tenant and its test tenant; the data is kept',
    async ({ tenancy }, tenantId) => (await tenancy.setTenantStatus({ tenantId, status: 'suspended' })).tenant,
  );
  withTenant(
    'resume',
    'accept requests of a suspended tenant again',
    async ({ tenancy }, tenantId) => (await tenancy.setTenantStatus({ tenantId, status: 'active' })).tenant,
  );
  tenant
    .command('plan')
    .description('change the plan of a tenant and its test tenant')
    .argument('<tenant_id>')
    .argument('<plan>')
    .option(...JSON_OPTION)
    .action((tenantId: string, plan: string, options: Json) =>
      asOperator(options, async ({ tenancy }) =>
        show((await tenancy.setTenantPlan({ tenantId, plan })).tenant, options),
      ),
    );
  tenant
    .command('delete')
    .description('delete a tenant and its test tenant with all their data; cannot be undone')
    .argument('<tenant_id>')
    .requiredOption('--yes', 'confirm the deletion')
    .option(...JSON_OPTION)
    .action((tenantId: string, options: Json) =>
      asOperator(options, async ({ tenancy }) =>
        show((await tenancy.deleteTenant({ tenantId }, { timeoutMs: DELETE_TIMEOUT_MS })).tenant, options),
      ),
    );
  addInstallationOptions(tenant, (name) => SERVICES_OF.get(name) ?? ['tenancy']);
}

/** The commands that print keys. */
function addTenantKeyCommands(tenant: Command, say: PrintLine, asOperator: AsOperator): void {
  tenant
    .command('create')
    .description('create a tenant with its test tenant and print its first keys')
    .requiredOption('--name <name>')
    .option('--plan <plan>', 'default: the plan that `start` names in the plans file', '')
    .option('--json', 'print one JSON object')
    .action((options: Json & { name: string; plan: string }) =>
      asOperator(options, (operator) => createTenant(operator, options, say)),
    );
  tenant
    .command('key')
    .description('create and print a key with every scope, for a tenant that has no valid key left')
    .argument('<tenant_id>')
    .option('--test', 'a key of its test tenant')
    .option('--name <name>', 'as the list of keys shows it', 'Key from the operator')
    .option(...JSON_OPTION)
    .action((tenantId: string, options: Json & { name: string; test?: boolean }) =>
      asOperator(options, (operator) => createTenantKey(operator, tenantId, options, say)),
    );
}

/** What the commands about a tenant call, where it is not tenancy alone. */
const SERVICES_OF: ReadonlyMap<string, readonly OperatorService[]> = new Map<string, readonly OperatorService[]>([
  ['create', ['tenancy', 'keys']],
  ['key', ['keys']],
]);

interface NewEngine {
  name: string;
  adminUrl: string;
  database: string;
  weight: string;
  replica: string[];
  search: string;
}

function addAddEngineCommand(
  engine: Command,
  show: (found: EngineMessage | undefined, options: Json) => void,
  asOperator: AsOperator,
): void {
  engine
    .command('add')
    .description('register a PostgreSQL server for shared memories and create its schema')
    .requiredOption('--name <name>')
    .requiredOption('--admin-url <url>', 'postgres:// URL of a role that may create databases and roles; not stored')
    .option('--database <name>', 'created if it does not exist', 'cairn')
    .option('--weight <number>', 'share of new memories relative to the other engines', '1')
    .option('--replica <host:port>', 'a streaming replica of the server, to read from; may be repeated', collect, [])
    .option(
      '--search <url>',
      'opensearch:// URL of a cluster for the lexical index of its memories; stored encrypted',
      '',
    )
    .option(...JSON_OPTION)
    .action((options: Json & NewEngine) =>
      asOperator(options, async ({ tenancy }) => {
        const weight = Number(options.weight);
        if (!Number.isInteger(weight) || weight < 1) throw new Error('--weight must be a positive integer');
        const { name, adminUrl, database, replica: replicas, search: searchUrl } = options;
        const added = await tenancy.addEngine(
          { name, adminUrl, database, weight, replicas, searchUrl },
          { timeoutMs: ADD_TIMEOUT_MS },
        );
        show(added.engine, options);
      }),
    );
}

function addEngineCommands(group: Command, say: PrintLine, asOperator: AsOperator): void {
  const engine = group.command('engine').description('manage the PostgreSQL servers that hold memories');
  const show = (found: EngineMessage | undefined, options: Json) => showEngine(say, found, options);
  addAddEngineCommand(engine, show, asOperator);
  engine
    .command('list')
    .description('list the engines and the number of memories on each')
    .option(...JSON_OPTION)
    .action((options: Json) =>
      asOperator(options, async ({ tenancy }) => {
        const { engines } = await tenancy.listEngines({});
        printTable(say, options, engines.map(engineOf));
      }),
    );
  engine
    .command('replicas')
    .description(
      'set the streaming replicas that requests read from; without --replica, they read from the engine alone',
    )
    .argument('<engine_id>')
    .option('--replica <host:port>', 'may be repeated', collect, [])
    .option(...JSON_OPTION)
    .action((engineId: string, options: Json & { replica: string[] }) =>
      asOperator(options, async ({ tenancy }) =>
        show((await tenancy.setEngineReplicas({ engineId, replicas: options.replica })).engine, options),
      ),
    );
  addReconcileCommand(engine, say, asOperator);
  addSpreadCommands(engine, say, asOperator);
  addInstallationOptions(engine, () => ['tenancy']);
}

function addSpreadCommands(engine: Command, say: PrintLine, asOperator: AsOperator): void {
  engine
    .command('drain')
    .description('place no new memories on an engine; existing ones stay, unless they are moved')
    .argument('<engine_id>')
    .option('--undo', 'place new memories on it again')
    .option('--move', 'move its memories to the other engines while they are used')
    .option(...JSON_OPTION)
    .action((engineId: string, options: Json & { undo?: boolean; move?: boolean }) =>
      asOperator(options, async ({ tenancy }) => {
        if (options.undo === true && options.move === true) throw new Error('--undo and --move exclude each other');
        const { engine: drained } = await tenancy.drainEngine({ engineId, undo: options.undo === true });
        showEngine(say, drained, options);
        if (options.move !== true) return;
        const spread = await tenancy.spreadMemories({ engine: engineId }, { timeoutMs: SPREAD_TIMEOUT_MS });
        if (options.json === true) return;
        say(`${spread.moves.length} moves are under way: cairn operator memory moves`);
        if (spread.staying.length > 0)
          say(
            `${spread.staying.length} memories stay until their indexes are in PostgreSQL ` +
              `(cairn operator search move <memory_id> --to postgres): ${spread.staying.join(', ')}`,
          );
      }),
    );
  engine
    .command('rebalance')
    .description('move memories so that the engines hold alike, in proportion to their weights')
    .option('--dry-run', 'only print what would be moved')
    .option(...JSON_OPTION)
    .action((options: Json & { dryRun?: boolean }) =>
      asOperator(options, async ({ tenancy }) => {
        const dryRun = options.dryRun === true;
        printMoves(say, options, (await tenancy.spreadMemories({ dryRun }, { timeoutMs: SPREAD_TIMEOUT_MS })).moves);
      }),
    );
}

function addReconcileCommand(engine: Command, say: PrintLine, asOperator: AsOperator): void {
  engine
    .command('reconcile')
    .description('compare what the engines hold with the memories that exist, as after restores to different times')
    .option('--erase', 'erase what belongs to no memory; without it, only report')
    .option(...JSON_OPTION)
    .action((options: Json & { erase?: boolean }) =>
      asOperator(options, async ({ tenancy }) => {
        const { engines } = await tenancy.reconcileEngines(
          { erase: options.erase === true },
          { timeoutMs: RECONCILE_TIMEOUT_MS },
        );
        printTable(
          say,
          options,
          engines.map((found) => ({
            engine_id: found.engineId,
            status: found.unreachable ? 'unreachable' : 'reached',
            unknown: found.unknownMemoryIds.join(' ') || '-',
            erased: found.erased,
            empty: found.emptyMemoryIds.join(' ') || '-',
          })),
        );
      }),
    );
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

const RECONCILE_TIMEOUT_MS = 600_000;
const ADD_TIMEOUT_MS = 90_000;
const SPREAD_TIMEOUT_MS = 120_000;
const DELETE_TIMEOUT_MS = 60_000;

function lineOf(tenant: ReturnType<typeof tenantOf>, options: Json): string {
  if (options.json === true) return JSON.stringify(tenant);
  return `${tenant.tenant_id} (${tenant.name}) is ${tenant.status}, plan ${tenant.plan}.`;
}

function tenantOf(tenant: TenantSummary) {
  return {
    tenant_id: tenant.tenantId,
    name: tenant.name,
    plan: tenant.plan,
    status: tenant.status,
    workspaces: tenant.workspaces,
    memories: tenant.memories,
    created_at: tenant.createdAt === undefined ? '' : timestampDate(tenant.createdAt).toISOString(),
  };
}

function showEngine(say: PrintLine, found: EngineMessage | undefined, options: Json): void {
  const shown = engineOf(found!);
  say(
    options.json === true
      ? JSON.stringify(shown)
      : `${shown.engine_id} (${shown.name}) is ${shown.status}, weight ${shown.weight}.`,
  );
}

function engineOf(engine: EngineMessage) {
  const { engineId: engine_id, name, kind, status, weight, memories, location, use } = engine;
  const measured =
    use === undefined
      ? { bytes: '-', chunks: '-', per_second: '-' }
      : { bytes: Number(use.bytes), chunks: Number(use.chunks), per_second: Math.round(use.transactionsPerSecond) };
  return {
    engine_id,
    name,
    kind,
    status,
    weight,
    memories,
    ...measured,
    location,
    replicas: engine.replicas.join(' ') || '-',
  };
}
