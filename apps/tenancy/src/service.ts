import { randomUUID } from 'node:crypto';
import {
  KeysTenancyService,
  MemoryStoreService,
  OPERATIONS,
  ResearchErasureService,
  WebhooksErasureService,
  UsageErasureService,
} from '@cairn/contracts';
import { readKeyRing } from '@cairn/encryption';
import { type EventBus, relayOutbox, runEventWork } from '@cairn/events';
import { createServiceTokenSource } from '@cairn/identity';
import { createDatabase, type Database, requireMigrated, startSweeper } from '@cairn/postgres';
import {
  assertComplete,
  closeInReverse,
  ConfigError,
  listenGrpc,
  listenHttp,
  type Logger,
  operationsApp,
  readServiceKeys,
  rpcClient,
  type StartedService,
} from '@cairn/service-kit';
import type { Config } from './config.ts';
import { createEmbeddedProvisioner } from './engines/embedded-provisioner.ts';
import type { EngineProvisioner } from './engines/engine-provisioner.ts';
import { createServerProvisioner } from './engines/server-provisioner.ts';
import { superviseEngines } from './engines/supervise-engines.ts';
import { boundOperations } from './http.ts';
import { MIGRATIONS } from './migrate.ts';
import { startJobRunner } from './jobs/job-runner.ts';
import { jobDefinitions } from './jobs/job-definitions.ts';
import { operatorRpc } from './operator-rpc.ts';
import { rpcServices } from './rpc.ts';
import { readPlans } from './plans/plans.ts';

const WORKER_POOL_MAX = 8;

/** Constructs the service and starts it. */
export async function startTenancy(config: Config, logger: Logger): Promise<StartedService> {
  await requireMigrated({ url: config.databaseUrl, schema: 'tenancy', directories: MIGRATIONS });
  const plans = await readPlans(config.plansFile);
  const keyRing = await readKeyRing(config.keyEncryptionKeysFile);
  const { signer, verifier, requests } = await readServiceKeys(config, 'tenancy');
  const ownToken = createServiceTokenSource(signer, 'tenancy');
  const { database, workerDatabase } = databases(config, logger);
  const keys = rpcClient(KeysTenancyService, config.keysGrpc, ownToken);
  const memoryStore = rpcClient(MemoryStoreService, config.memoryGrpc, ownToken);
  const webhooks = rpcClient(WebhooksErasureService, config.webhooksGrpc, ownToken);
  const research = rpcClient(ResearchErasureService, config.researchGrpc, ownToken);
  const usage = rpcClient(UsageErasureService, config.usageGrpc, ownToken);
  const provisioner = provisionerOf(config, logger);
  const { baseUrl } = config;
  let connected: EventBus | null = null;
  const bus = () => connected;
  const deps = {
    database,
    workerDatabase,
    plans,
    keyRing,
    keys,
    memoryStore,
    webhooks,
    research,
    usage,
    provisioner,
    logger,
    bus,
    baseUrl,
  };

  const bound = boundOperations({ ...deps, offersDedicated: provisioner !== null });
  assertComplete('tenancy', OPERATIONS, bound);
  const http = await listenHttp(
    operationsApp({ operations: bound, requests, logger, ready: () => database.ping() }),
    config.httpListen,
  );
  const grpc = await listenGrpc([...rpcServices(deps), operatorRpc(deps)], config.grpcListen, verifier, logger);
  const events = runEventWork({
    broker: config,
    name: 'tenancy',
    logger,
    start: async (eventBus) => {
      connected = eventBus;
      return [await relayOutbox({ bus: eventBus, database: workerDatabase, schema: 'tenancy', logger })];
    },
  });
  const sweeper = startSweeper(workerDatabase, (error) =>
    logger.warn({ err: error }, 'sweeper: deleting expired rows failed; trying again at the next sweep'),
  );
  // Unique to this start, so that the claims of a process that died are never mistaken for its own.
  const owner = randomUUID();
  const jobs = await startJobRunner({ database: workerDatabase, owner, logger, definitions: jobDefinitions(deps) });
  const engines = provisioner === null ? [] : [superviseEngines({ ...deps, provisioner })];
  const clients = [
    async () => keys.close(),
    async () => memoryStore.close(),
    async () => webhooks.close(),
    async () => research.close(),
    async () => usage.close(),
  ];
  const running = closeInReverse([database, workerDatabase, ...clients, sweeper, events, jobs, ...engines, grpc, http]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: running.close };
}

/** Null: the installation has no place for dedicated memories, and creating one is refused. */
function provisionerOf({ enginesFolder, dedicatedEngineUrl }: Config, logger: Logger): EngineProvisioner | null {
  if (enginesFolder !== undefined && dedicatedEngineUrl !== undefined)
    throw new ConfigError(['Only one of CAIRN_ENGINES_DIR and CAIRN_DEDICATED_ENGINE_URL can be set.']);
  if (dedicatedEngineUrl !== undefined) return createServerProvisioner(dedicatedEngineUrl);
  return enginesFolder === undefined ? null : createEmbeddedProvisioner(enginesFolder, logger);
}

function databases(config: Config, logger: Logger): { database: Database; workerDatabase: Database } {
  const onIdleError = (error: Error) =>
    logger.warn({ err: error }, 'database: an idle connection was lost; the pool opens another');
  return {
    database: createDatabase({
      onIdleError,
      url: config.databaseUrl,
      applicationName: 'tenancy',
      poolMax: config.databasePoolMax,
    }),
    workerDatabase: createDatabase({
      onIdleError,
      url: config.databaseWorkerUrl,
      applicationName: 'tenancy-worker',
      poolMax: WORKER_POOL_MAX,
    }),
  };
}
