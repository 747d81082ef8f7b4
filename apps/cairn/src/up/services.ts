import { join } from 'node:path';
import { findFreePort } from '@cairn/embedded';
import type { Addresses, DataFolder } from '../data-folder.ts';
import { DATABASE_SERVICES, type DatabaseService, type Engines } from './engines.ts';
import type { BundledModules } from './built-parts.ts';
import { inRepository } from './in-repository.ts';
import { runMigrations } from './run-migrations.ts';
import {
  type Environment,
  environmentOf,
  type ServiceVariables,
  type StartedService,
  systemEnvironment,
} from './service-variables.ts';
import { runServiceProcess, type ServiceProcess } from './service-process.ts';

interface RunningServices {
  addresses: Addresses;
  processes: readonly ServiceProcess[];
  stop(): Promise<void>;
}

interface ServicesOptions {
  folder: DataFolder;
  engines: Engines;
  gatewayPort: number;
  baseUrl: string;
  /** Of the first service that shows its metrics; 0: free ones; undefined: none. */
  metricsPort: number | undefined;
  /** What is not among them starts from its source. */
  bundled: BundledModules;
  /** Folder where Node keeps compiled sources between starts. */
  moduleCache: string;
  /** Folder of the built console; null: none is served unless the environment names one. */
  consoleDir: string | null;
  /** Folder where the documentation is or will be; null: that which the environment names, if it does. */
  docsDir: string | null;
  /** Each service gets what it reads of it. */
  environment: Environment;
  variables: ServiceVariables;
  onRestart: (name: string, reason: string) => void;
  log: (line: string) => void;
}

const MEMORY_DOMAIN = 'localhost';

/**
 * Starts every service as a process of its own on loopback, and waits until all are ready. Their schemas are migrated
 * meanwhile by another process; each service waits for its own.
 */
export async function startServices(options: ServicesOptions): Promise<RunningServices> {
  const names = [...DATABASE_SERVICES];
  const taken = await Promise.all(names.map(async (name) => [name, await freeAddresses()] as const));
  const listening = Object.fromEntries(taken) as Record<DatabaseService, Listening>;
  const metricsPorts = await metricsPortsOf(options.metricsPort);
  const wanted = wantedProcesses(options, listening).map(({ name, env }) => ({
    name,
    env: { ...env, ...metricsEnv(metricsPorts.get(name)) },
  }));
  const migrated = migrateSchemas(options);
  // Awaited below; until then nobody else hears of a failure.
  migrated.catch(() => undefined);
  const processes = wanted.map(({ name, env }) =>
    runServiceProcess({
      name,
      entry: moduleToRun(options.bundled, `apps/${name}/src/main.ts`),
      env,
      logFile: join(options.folder.logs, `${name}.log`),
      onRestart: options.onRestart,
      log: options.log,
    }),
  );
  const stop = async () => {
    // The gateway first, so that nothing new comes in while the rest ends.
    await processes.at(-1)?.stop();
    await Promise.all(processes.slice(0, -1).map((process) => process.stop()));
  };
  try {
    await Promise.all([migrated, ...processes.map((process) => process.ready)]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    addresses: {
      gateway: options.baseUrl,
      keysGrpc: listening.keys.grpc,
      tenancyGrpc: listening.tenancy.grpc,
      memoryGrpc: listening.memory.grpc,
      researchGrpc: listening.research.grpc,
      webhooksGrpc: listening.webhooks.grpc,
      usageGrpc: listening.usage.grpc,
      ...(metricsPorts.size === 0 ? {} : { metrics: metricsUrls(metricsPorts) }),
    },
    processes,
    stop,
  };
}

/** Each service with its environment; the gateway last. */
function wantedProcesses(
  options: ServicesOptions,
  listening: Record<DatabaseService, Listening>,
): { name: StartedService; env: Record<string, string> }[] {
  const { keys, tenancy, memory, research, webhooks, usage } = listening;
  const own = (name: DatabaseService, more: Record<string, string> = {}) => ({
    name,
    env: {
      ...commonEnv(options, name),
      ...databaseEnv(options.engines, name),
      NATS_URL: options.engines.natsUrlOf(name),
      CAIRN_HTTP_LISTEN: listening[name].http,
      CAIRN_GRPC_LISTEN: listening[name].grpc,
      ...more,
    },
  });
  const gatewayListen = `127.0.0.1:${options.gatewayPort}`;
  return [
    own('tenancy', {
      CAIRN_KEYS_GRPC: keys.grpc,
      CAIRN_MEMORY_GRPC: memory.grpc,
      CAIRN_WEBHOOKS_GRPC: webhooks.grpc,
      CAIRN_RESEARCH_GRPC: research.grpc,
      CAIRN_USAGE_GRPC: usage.grpc,
      CAIRN_BASE_URL: options.baseUrl,
      CAIRN_KEY_ENCRYPTION_KEYS_FILE: options.folder.keyEncryptionKeysFile,
      CAIRN_ENGINES_DIR: options.folder.engines,
      // The programs of PostgreSQL, which tenancy starts for dedicated memories, are a package and in no bundle.
      NODE_PATH: inRepository('node_modules'),
    }),
    own('keys', { CAIRN_TENANCY_GRPC: tenancy.grpc, CAIRN_BASE_URL: options.baseUrl }),
    own('webhooks', { CAIRN_KEY_ENCRYPTION_KEYS_FILE: options.folder.keyEncryptionKeysFile }),
    own('usage', { CAIRN_TENANCY_GRPC: tenancy.grpc }),
    own('memory', {
      CAIRN_TENANCY_GRPC: tenancy.grpc,
      CAIRN_INGEST_KEYS_FILE: options.folder.ingestKeysFile,
    }),
    own('research', {
      CAIRN_TENANCY_GRPC: tenancy.grpc,
      CAIRN_MEMORY_GRPC: memory.grpc,
      CAIRN_USAGE_GRPC: usage.grpc,
      CAIRN_BASE_URL: options.baseUrl,
    }),
    {
      name: 'gateway' as const,
      env: {
        ...(options.consoleDir === null ? {} : { CAIRN_CONSOLE_DIR: options.consoleDir }),
        ...commonEnv(options, 'gateway'),
        ...(options.docsDir === null ? {} : { CAIRN_DOCS_DIR: options.docsDir }),
        CAIRN_HTTP_LISTEN: gatewayListen,
        CAIRN_BASE_URL: options.baseUrl,
        CAIRN_MEMORY_DOMAIN: MEMORY_DOMAIN,
        CAIRN_KEYS_GRPC: keys.grpc,
        CAIRN_TENANCY_GRPC: tenancy.grpc,
        CAIRN_KEYS_HTTP: `http://${keys.http}`,
        CAIRN_TENANCY_HTTP: `http://${tenancy.http}`,
        CAIRN_MEMORY_HTTP: `http://${memory.http}`,
        CAIRN_RESEARCH_HTTP: `http://${research.http}`,
        CAIRN_WEBHOOKS_HTTP: `http://${webhooks.http}`,
        CAIRN_USAGE_HTTP: `http://${usage.http}`,
        CAIRN_STATE_DIR: options.folder.gatewayState,
      },
    },
  ];
}

/** The order in which their ports are counted; the gateway last, as each of its processes has one. */
const WITH_METRICS: readonly StartedService[] = [
  'tenancy',
  'keys',
  'webhooks',
  'usage',
  'memory',
  'research',
  'gateway',
];

async function metricsPortsOf(first: number | undefined): Promise<ReadonlyMap<StartedService, number>> {
  if (first === undefined) return new Map();
  const ports = WITH_METRICS.map(
    async (name, index) => [name, first === 0 ? await findFreePort() : first + index] as const,
  );
  return new Map(await Promise.all(ports));
}

function metricsEnv(port: number | undefined): Record<string, string> {
  return port === undefined ? {} : { CAIRN_METRICS_PORT: String(port) };
}

function metricsUrls(ports: ReadonlyMap<StartedService, number>): Record<string, string> {
  return Object.fromEntries([...ports].map(([name, port]) => [name, `http://127.0.0.1:${port}/metrics`]));
}

interface Listening {
  http: string;
  grpc: string;
}

async function freeAddresses(): Promise<Listening> {
  const [http, grpc] = await Promise.all([findFreePort(), findFreePort()]);
  return { http: `127.0.0.1:${http}`, grpc: `127.0.0.1:${grpc}` };
}

function commonEnv(options: ServicesOptions, part: StartedService): Record<string, string> {
  return {
    ...environmentOf(options.variables.get(part) ?? new Set(), options.environment),
    CAIRN_SIGNING_KEY_FILE: options.folder.signingKeyFile(part),
    CAIRN_JWKS_FILE: options.folder.jwksFile,
    CAIRN_REQUEST_KEYS_FILE: options.folder.requestKeysFile(part),
    NODE_COMPILE_CACHE: options.moduleCache,
  };
}

/** Without the owner's URL: only what migrates is given that. */
function databaseEnv(engines: Engines, service: DatabaseService): Record<string, string> {
  const roles = engines.roles[service];
  return { DATABASE_URL: roles.url, DATABASE_WORKER_URL: roles.workerUrl };
}

function moduleToRun(bundled: BundledModules, source: string): string {
  return bundled.get(source) ?? inRepository(source);
}

function migrateSchemas({ engines, environment, bundled, moduleCache, log }: ServicesOptions): Promise<void> {
  const jobs = DATABASE_SERVICES.map((service) => ({
    service,
    module: moduleToRun(bundled, `apps/${service}/src/migrate.ts`),
    options: { databaseOwnerUrl: engines.roles[service].ownerUrl, modelsFile: environment['CAIRN_MODELS_FILE'] },
  }));
  const program = moduleToRun(bundled, 'apps/cairn/src/up/migrate-process.ts');
  return runMigrations(jobs, { ...systemEnvironment(environment), NODE_COMPILE_CACHE: moduleCache }, log, program);
}
