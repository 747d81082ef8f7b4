import {
  KeysTenancyService,
  MemoryMoveService,
  MemoryStoreService,
  OPERATIONS,
  CreditUseService,
  ResearchErasureService,
  ResearchFeaturesService,
  WebhooksErasureService,
  WebhookUseService,
  UsageErasureService,
} from '@cairn/contracts';
import { readKeyRing } from '@cairn/encryption';
import {
  type EventBus,
  createChangeLog,
  eventReplayService,
  relayOutbox,
  type RestoreGuard,
  runEventWork,
  startRestoreGuard,
} from '@cairn/events';
import { createServiceTokenSource, type ServiceTokenSource } from '@cairn/identity';
import {
  createDatabase,
  createServiceDatabases,
  type Database,
  logIdleErrors,
  requireMigrated,
  startSweeper,
} from '@cairn/postgres';
import {
  assertComplete,
  closeInReverse,
  ConfigError,
  type InternalTls,
  listenGrpc,
  listenOperations,
  type Logger,
  openInternalTls,
  readServiceKeys,
  rpcClient,
  type Running,
  type StartedService,
} from '@cairn/service-kit';
import type { Config } from './config.ts';
import { createEmbeddedProvisioner } from './engines/embedded-provisioner.ts';
import type { EngineProvisioner } from './engines/engine-provisioner.ts';
import { measureEngines } from './engines/measure-engines.ts';
import { createServerProvisioner } from './engines/server-provisioner.ts';
import { superviseEngines } from './engines/supervise-engines.ts';
import { boundOperations } from './http.ts';
import { MIGRATIONS } from './migrate.ts';
import { sampleJobs } from './jobs/job-metrics.ts';
import { startJobRunner } from './jobs/job-runner.ts';
import { jobDefinitions } from './jobs/job-definitions.ts';
import { operatorRpc } from './operator-rpc.ts';
import { reapplyDecision } from './restore/reapply-decision.ts';
import { rpcServices } from './rpc.ts';
import { type PlanCatalog, readPlans } from './plans/plans.ts';

const WORKER_POOL_MAX = 8;

/** Constructs the service and starts it. */
export async function startTenancy(config: Config, logger: Logger): Promise<StartedService> {
  await requireMigrated({ url: config.databaseUrl, schema: 'tenancy', directories: MIGRATIONS });
  const plans = await readPlans(config.plansFile);
  const keyRing = await readKeyRing(config.keyEncryptionKeysFile);
  const { signer, verifier, requests } = await readServiceKeys(config, 'tenancy');
  const ownToken = createServiceTokenSource(signer, 'tenancy');
  const tls = await openInternalTls(config, logger);
  const { database, workerDatabase, follow, close: closeDatabases } = await openDatabases(config, plans, logger);
  const { close: closeClients, ...clients } = grpcClients(config, ownToken, tls);
  const provisioner = provisionerOf(config, logger);
  const { baseUrl, allowPrivateNetwork } = config;
  let connected: EventBus | null = null;
  const bus = () => connected;
  const deps = {
    database,
    workerDatabase,
    plans,
    keyRing,
    ...clients,
    provisioner,
    logger,
    bus,
    baseUrl,
    allowPrivateNetwork,
  };

  const bound = boundOperations({ ...deps, offersDedicated: provisioner !== null });
  assertComplete('tenancy', OPERATIONS, bound);
  const http = await listenOperations(
    { operations: bound, requests, logger, ready: () => database.ping(), changes: createChangeLog(logger) },
    { ...config, tls },
  );
  const grpc = await listenGrpc(
    [...rpcServices(deps), operatorRpc(deps), eventReplayService(() => [workerDatabase])],
    config.grpcListen,
    verifier,
    logger,
    tls,
  );
  const events = runEventWork({
    broker: config,
    name: 'tenancy',
    logger,
    start: async (eventBus) => {
      connected = eventBus;
      return [await relayOutbox({ bus: eventBus, database: workerDatabase, schema: 'tenancy', logger })];
    },
  });
  const sweeper = startSweeper({
    database: workerDatabase,
    publishedRetentionHours: config.publishedRetentionHours,
    onError: (error) =>
      logger.warn({ err: error }, 'sweeper: deleting expired rows failed; retrying at the next sweep'),
  });
  const jobs = await startJobRunner({ database: workerDatabase, logger, definitions: jobDefinitions(deps) });
  const engines = provisioner === null ? [] : [superviseEngines({ ...deps, provisioner })];
  const following = follow((entry) => reapplyDecision(deps, entry));
  const measuring = measureEngines(deps);
  const background = [following, sampleJobs(workerDatabase), sweeper, events, jobs, measuring, ...engines];
  const running = closeInReverse([closeDatabases, closeClients, ...background, tls, grpc, http]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: running.close };
}

/** Null: the installation has no place for dedicated memories, and creating one is refused. */
function provisionerOf({ enginesFolder, dedicatedEngineUrl }: Config, logger: Logger): EngineProvisioner | null {
  if (enginesFolder !== undefined && dedicatedEngineUrl !== undefined)
    throw new ConfigError(['Only one of CAIRN_ENGINES_DIR and CAIRN_DEDICATED_ENGINE_URL can be set.']);
  if (dedicatedEngineUrl !== undefined) return createServerProvisioner(dedicatedEngineUrl);
  return enginesFolder === undefined ? null : createEmbeddedProvisioner(enginesFolder, logger);
}

/** The services that erasures and questions about the whole tenant call. */
function grpcClients(config: Config, ownToken: ServiceTokenSource, tls: InternalTls | null) {
  const clients = {
    keys: rpcClient(KeysTenancyService, config.keysGrpc, ownToken, tls),
    memoryMoves: rpcClient(MemoryMoveService, config.memoryGrpc, ownToken, tls),
    memoryStore: rpcClient(MemoryStoreService, config.memoryGrpc, ownToken, tls),
    webhooks: rpcClient(WebhooksErasureService, config.webhooksGrpc, ownToken, tls),
    research: rpcClient(ResearchErasureService, config.researchGrpc, ownToken, tls),
    usage: rpcClient(UsageErasureService, config.usageGrpc, ownToken, tls),
    webhookUse: rpcClient(WebhookUseService, config.webhooksGrpc, ownToken, tls),
    creditUse: rpcClient(CreditUseService, config.usageGrpc, ownToken, tls),
    features: rpcClient(ResearchFeaturesService, config.researchGrpc, ownToken, tls),
  };
  return {
    ...clients,
    async close() {
      for (const client of Object.values(clients)) client.close();
    },
  };
}

interface Databases extends Running, Pick<RestoreGuard, 'follow'> {
  database: Database;
  workerDatabase: Database;
}

const OLDEST_TENANT_SQL = 'SELECT min(created_at) AS oldest FROM tenants';

/** The service's pools, once the database may be served: a restored one only after its deletions are applied. */
async function openDatabases(config: Config, plans: PlanCatalog, logger: Logger): Promise<Databases> {
  const guardDatabase = createDatabase({
    url: config.databaseWorkerUrl,
    applicationName: 'tenancy-restore',
    poolMax: 1,
    onIdleError: logIdleErrors(logger),
  });
  const { verify, follow, close } = await startRestoreGuard({
    database: guardDatabase,
    broker: config,
    name: 'tenancy',
    logger,
    reapply: (entry) => reapplyDecision({ workerDatabase: guardDatabase, plans }, entry),
    oldestData: async (tx) => (await tx.query<{ oldest: Date | null }>(OLDEST_TENANT_SQL))[0]!.oldest,
  });
  const databases = createServiceDatabases({
    service: 'tenancy',
    config,
    workerPoolMax: WORKER_POOL_MAX,
    logger,
    verify,
  });
  const running = closeInReverse([guardDatabase, close, databases.database, databases.workerDatabase]);
  return { ...databases, follow, close: running.close };
}
