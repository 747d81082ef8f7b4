import { randomUUID } from 'node:crypto';
import { OPERATIONS } from '@cairn/contracts';
import { runEventWork } from '@cairn/events';
import { createOutboundClients, nameResolver, type Outbound, type ResolveName } from '@cairn/outbound';
import { createDatabase, type Database, requireMigrated, startSweeper } from '@cairn/postgres';
import { readSealing } from '@cairn/sealing';
import {
  assertComplete,
  closeInReverse,
  listenGrpc,
  listenHttp,
  type Logger,
  operationsApp,
  readServiceKeys,
  repeat,
  type Running,
  type StartedService,
} from '@cairn/service-kit';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import type { Config } from './config.ts';
import { expireDeliveries } from './erasure/expire.ts';
import { startEvents } from './events.ts';
import { operations } from './http.ts';
import { type FanOut, startFanOut } from './intake/fan-out.ts';
import { MIGRATIONS } from './migrate.ts';
import { rpcServices } from './rpc.ts';
import { DELIVERY_TIMEOUT_MS } from './sending/attempt.ts';
import { createAutoReplay } from './sending/auto-replay.ts';
import { forgetBudgets } from './sending/budgets/budget-store.ts';
import { createReplicaBudgets } from './sending/budgets/budgets.ts';
import { type Dispatcher, startDispatcher } from './sending/dispatcher.ts';
import { createRecorder } from './sending/recorder.ts';
import { sweepClaims } from './sending/sweep-claims.ts';
import { createTargetAddresses } from './sending/target-addresses.ts';
import { secretOpener } from './webhooks/signing-secret.ts';
import { endRotations } from './webhooks/webhook-store.ts';

const WORKER_POOL_MAX = 6;
const SWEEP_CLAIMS_EVERY_MS = 1_000;
const EXPIRE_EVERY_MS = 3_600_000;
const BUDGETS_KEPT_MS = 3_600_000;
const USER_AGENT = 'cairn-webhooks/1';

/** What a spec may put in the place of the system's own. */
export interface Ports {
  clock: Clock;
  deliveryTimeoutMs: number;
  /** Around the background work's database. */
  database: (database: Database) => Database;
  outbound: (outbound: Outbound) => Outbound;
  /** How names become addresses. */
  resolve: ResolveName;
}

/** Puts the service together and starts it. */
export async function startWebhooks(
  config: Config,
  logger: Logger,
  ports: Partial<Ports> = {},
): Promise<StartedService> {
  await requireMigrated({ url: config.databaseUrl, schema: 'webhooks', directories: MIGRATIONS });
  const clock = ports.clock ?? SYSTEM_CLOCK;
  const sealing = await readSealing(config.keyEncryptionKeysFile);
  const { verifier, requests } = await readServiceKeys(config, 'webhooks');
  const { database, workerDatabase } = databases(config, logger, ports);
  const addresses = createTargetAddresses({ clock, resolve: ports.resolve ?? nameResolver() });
  const { outbound, ...clients } = await openOutbound(config, logger, { ...ports, resolve: addresses.resolve });
  const openSecrets = secretOpener(sealing);
  const timeoutMs = ports.deliveryTimeoutMs ?? DELIVERY_TIMEOUT_MS;
  const sending = startSending(config, {
    workerDatabase,
    outbound,
    addresses,
    clock,
    logger,
    openSecrets,
    timeoutMs,
  });
  const hint = (webhookId: string) => sending.dispatcher.hint(webhookId);
  const fanOut = startFanOut({ database: workerDatabase, now: clock.now, logger, hint });
  const background = startBackgroundWork(config, { workerDatabase, clock, logger, hint, fanOut });

  const { eraseSoon } = background;
  const bound = operations({ database, sealing, outbound, clock, hint, eraseSoon });
  assertComplete('webhooks', OPERATIONS, bound);
  const http = await listenHttp(
    operationsApp({ operations: bound, requests, logger, ready: () => database.ping() }),
    config.httpListen,
  );
  const grpc = await listenGrpc(rpcServices({ workerDatabase, sealing }), config.grpcListen, verifier, logger);
  const events = runEventWork({
    url: config.natsUrl,
    name: 'webhooks',
    logger,
    start: (bus) => startEvents(bus, { workerDatabase, now: clock.now, hint, onDeferred: fanOut.wake, logger }),
  });
  const running = closeInReverse([database, workerDatabase, clients, background, sending, fanOut, events, grpc, http]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: running.close };
}

function databases(config: Config, logger: Logger, ports: Partial<Ports>) {
  const onIdleError = (error: Error) => logger.warn({ err: error }, 'database connection lost');
  const workerDatabase = createDatabase({
    url: config.databaseWorkerUrl,
    applicationName: 'webhooks-worker',
    poolMax: WORKER_POOL_MAX,
    onIdleError,
  });
  return {
    database: createDatabase({
      url: config.databaseUrl,
      applicationName: 'webhooks',
      poolMax: config.databasePoolMax,
      onIdleError,
    }),
    workerDatabase: ports.database?.(workerDatabase) ?? workerDatabase,
  };
}

async function openOutbound(
  config: Config,
  logger: Logger,
  ports: Pick<Ports, 'resolve'> & Partial<Ports>,
): Promise<{ outbound: Outbound } & Running> {
  const clients = await createOutboundClients(config, USER_AGENT, logger, ports.resolve);
  return { outbound: ports.outbound?.(clients.untrusted) ?? clients.untrusted, close: clients.close };
}

type SendingParts = Omit<
  Parameters<typeof startDispatcher>[0],
  'database' | 'recorder' | 'budgets' | 'limits' | 'concurrencyMax' | 'inFlightMax' | 'onAnswered'
>;

function startSending(
  config: Config,
  parts: SendingParts & { workerDatabase: Database },
): Running & { dispatcher: Dispatcher } {
  const { workerDatabase, clock, logger } = parts;
  const recorder = createRecorder({ database: workerDatabase, logger, health: config });
  const autoReplay = createAutoReplay({
    database: workerDatabase,
    clock,
    logger,
    hint: (webhookId) => dispatcher.hint(webhookId),
  });
  const budgets = createReplicaBudgets({ database: workerDatabase, clock, logger, replicaId: randomUUID() });
  const dispatcher = startDispatcher({
    ...parts,
    database: workerDatabase,
    recorder,
    budgets,
    limits: config,
    concurrencyMax: config.endpointConcurrencyMax,
    inFlightMax: config.inFlightMax,
    onAnswered: autoReplay.answered,
  });
  return { dispatcher, close: closeInReverse([autoReplay, budgets, recorder, dispatcher]).close };
}

/** What happens by itself: lost claims come back, rotations end, what has had its time is deleted. */
function startBackgroundWork(
  config: Config,
  parts: {
    workerDatabase: Database;
    clock: Clock;
    logger: Logger;
    hint: (webhookId: string) => void;
    fanOut: FanOut;
  },
): Running & { eraseSoon: () => void } {
  const { workerDatabase, clock, logger, hint } = parts;
  let erasing: Promise<void> | null = null;
  const erase = () => {
    erasing ??= expire(config, workerDatabase, clock).finally(() => {
      erasing = null;
    });
    return erasing;
  };
  const onEraseError = (error: unknown) => logger.warn({ err: error }, 'deleting old deliveries failed');
  const sweep = async () => {
    await workerDatabase.transaction((tx) => endRotations(tx, clock.now()));
    for (const webhookId of await sweepClaims(workerDatabase, clock.now())) hint(webhookId);
    // What another replica deferred before it ended.
    parts.fanOut.wake();
  };
  const running = closeInReverse([
    async () => {
      await erasing?.catch(onEraseError);
    },
    startSweeper(workerDatabase, (error) => logger.warn({ err: error }, 'sweeping failed')),
    repeat(SWEEP_CLAIMS_EVERY_MS, sweep, (error) => logger.warn({ err: error }, 'lost claims wait')),
    repeat(EXPIRE_EVERY_MS, erase, onEraseError),
  ]);
  return { close: running.close, eraseSoon: () => void erase().catch(onEraseError) };
}

async function expire(config: Config, database: Database, clock: Clock): Promise<void> {
  await expireDeliveries(database, config);
  await forgetBudgets(database, new Date(clock.now().getTime() - BUDGETS_KEPT_MS));
}
