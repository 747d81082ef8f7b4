import { randomUUID } from 'node:crypto';
import { OPERATIONS } from '@cairn/contracts';
import { createChangeLog, eventReplayService, runEventWork } from '@cairn/events';
import { createOutboundClients, nameResolver, type Outbound, type ResolveName } from '@cairn/outbound';
import { createServiceDatabases, type Database, requireMigrated, startSweeper } from '@cairn/postgres';
import { readKeyRing } from '@cairn/encryption';
import {
  assertComplete,
  closeInReverse,
  listenGrpc,
  listenOperations,
  type Logger,
  openInternalTls,
  readServiceKeys,
  repeat,
  type Running,
  type StartedService,
} from '@cairn/service-kit';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import type { Config } from './config.ts';
import { deleteExpired } from './erasure/delete-expired.ts';
import { startEvents } from './events.ts';
import { boundOperations } from './http.ts';
import { type FanOut, startFanOut } from './intake/fan-out.ts';
import { MIGRATIONS } from './migrate.ts';
import { rpcServices } from './rpc.ts';
import { type AttemptDeps, attemptDelivery, DELIVERY_TIMEOUT_MS } from './sending/attempt.ts';
import { createAutoReplay } from './sending/auto-replay.ts';
import { deleteUnusedBudgets } from './budgets/budget-store.ts';
import { createReplicaBudgets } from './budgets/budgets.ts';
import { createDeliveryQueue } from './sending/delivery-queue.ts';
import { type Dispatcher, startDispatcher } from './sending/dispatcher.ts';
import { sampleDeliveries } from './sending/queue-metrics.ts';
import { createRecorder } from './sending/recorder.ts';
import { reclaimExpired } from './sending/reclaim-expired.ts';
import { createTargetAddresses, type TargetAddresses } from './sending/target-addresses.ts';
import { type EventFeed, startEventFeed } from './stream/event-feed.ts';
import { expireEvents } from './stream/expire-events.ts';
import { createSecretDecrypter } from './signing/signing-secret.ts';
import { endRotations } from './webhooks/webhook-store.ts';

const WORKER_POOL_MAX = 6;
const RECLAIM_EVERY_MS = 1_000;
const EXPIRE_EVERY_MS = 3_600_000;
const BUDGET_RETENTION_MS = 3_600_000;
const USER_AGENT = 'cairn-webhooks/1';

/** What a spec may replace. */
export interface Ports {
  clock: Clock;
  deliveryTimeoutMs: number;
  /** Wraps the database of the background work. */
  database: (database: Database) => Database;
  outbound: (outbound: Outbound) => Outbound;
  /** Resolves host names. */
  resolve: ResolveName;
}

/** Constructs the service and starts it. */
export async function startWebhooks(
  config: Config,
  logger: Logger,
  ports: Partial<Ports> = {},
): Promise<StartedService> {
  await requireMigrated({ url: config.databaseUrl, schema: 'webhooks', directories: MIGRATIONS });
  const clock = ports.clock ?? SYSTEM_CLOCK;
  const keyRing = await readKeyRing(config.keyEncryptionKeysFile);
  const { verifier, requests } = await readServiceKeys(config, 'webhooks');
  const tls = await openInternalTls(config, logger);
  const { database, ...pools } = createServiceDatabases({
    service: 'webhooks',
    config,
    workerPoolMax: WORKER_POOL_MAX,
    logger,
  });
  const workerDatabase = ports.database?.(pools.workerDatabase) ?? pools.workerDatabase;
  const addresses = createTargetAddresses({ clock, resolve: ports.resolve ?? nameResolver() });
  const { outbound, ...clients } = await openOutbound(config, logger, { ...ports, resolve: addresses.resolve });
  const decryptSecrets = createSecretDecrypter(keyRing);
  const timeoutMs = ports.deliveryTimeoutMs ?? DELIVERY_TIMEOUT_MS;
  const sending = startSending(config, {
    workerDatabase,
    outbound,
    addresses,
    clock,
    logger,
    decryptSecrets,
    timeoutMs,
  });
  const hint = (webhookId: string) => sending.dispatcher.hint(webhookId);
  const hintAnything = (webhookId: string) => sending.dispatcher.hint(webhookId, 'anything');
  const fanOut = startFanOut({ database: workerDatabase, now: clock.now, logger, hint });
  const background = startBackgroundWork(config, { workerDatabase, clock, logger, hint: hintAnything, fanOut });

  const { eraseSoon, feed } = background;
  const bound = boundOperations({ database, keyRing, outbound, clock, feed, hint: hintAnything, eraseSoon });
  assertComplete('webhooks', OPERATIONS, bound);
  const http = await listenOperations(
    { operations: bound, requests, logger, ready: () => database.ping(), changes: createChangeLog(logger) },
    { ...config, tls },
  );
  const grpc = await listenGrpc(
    [...rpcServices({ workerDatabase, keyRing }), eventReplayService(() => [workerDatabase])],
    config.grpcListen,
    verifier,
    logger,
    tls,
  );
  const events = runEventWork({
    broker: config,
    name: 'webhooks',
    logger,
    start: (bus) => startEvents(bus, { workerDatabase, now: clock.now, hint, onDeferred: fanOut.wake, logger }),
  });
  const running = closeInReverse([
    database,
    workerDatabase,
    clients,
    sampleDeliveries(workerDatabase),
    background,
    sending,
    fanOut,
    events,
    tls,
    grpc,
    http,
  ]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: running.close };
}

async function openOutbound(
  config: Config,
  logger: Logger,
  ports: Pick<Ports, 'resolve'> & Partial<Ports>,
): Promise<{ outbound: Outbound } & Running> {
  const clients = await createOutboundClients(config, USER_AGENT, logger, ports.resolve);
  return { outbound: ports.outbound?.(clients.untrusted) ?? clients.untrusted, close: clients.close };
}

function startSending(
  config: Config,
  deps: AttemptDeps & { workerDatabase: Database; addresses: TargetAddresses; logger: Logger },
): Running & { dispatcher: Dispatcher } {
  const { workerDatabase, clock, logger } = deps;
  const recorder = createRecorder({ database: workerDatabase, logger, health: config });
  const autoReplay = createAutoReplay({
    database: workerDatabase,
    clock,
    logger,
    hint: (webhookId) => dispatcher.hint(webhookId),
  });
  const budgets = createReplicaBudgets({ database: workerDatabase, clock, logger, replicaId: randomUUID() });
  const dispatcher = startDispatcher({
    ...deps,
    database: workerDatabase,
    queue: createDeliveryQueue(workerDatabase),
    attempt: (claimed) => attemptDelivery(deps, claimed),
    recorder,
    budgets,
    limits: config,
    concurrencyMax: config.endpointConcurrencyMax,
    inFlightMax: config.inFlightMax,
    onDelivered: autoReplay.delivered,
  });
  return { dispatcher, close: closeInReverse([autoReplay, budgets, recorder, dispatcher]).close };
}

/** Periodic work: looks for events that streams wait for, reclaims expired claims, ends secret rotations, deletes what has expired. */
function startBackgroundWork(
  config: Config,
  deps: {
    workerDatabase: Database;
    clock: Clock;
    logger: Logger;
    hint: (webhookId: string) => void;
    fanOut: FanOut;
  },
): Running & { eraseSoon: () => void; feed: EventFeed } {
  const { workerDatabase, clock, logger, hint } = deps;
  let erasing: Promise<void> | null = null;
  const erase = () => {
    erasing ??= expire(config, workerDatabase, clock).finally(() => {
      erasing = null;
    });
    return erasing;
  };
  const onEraseError = (error: unknown) =>
    logger.warn({ err: error }, 'background work: deleting expired deliveries failed; retrying at the next interval');
  const sweep = async () => {
    await workerDatabase.transaction((tx) => endRotations(tx, clock.now()));
    for (const webhookId of await reclaimExpired(workerDatabase, clock.now())) hint(webhookId);
    // Another replica may have deferred deliveries before it ended.
    deps.fanOut.wake();
  };
  const feed = startEventFeed({ database: workerDatabase, logger });
  const running = closeInReverse([
    feed,
    async () => {
      await erasing?.catch(onEraseError);
    },
    startSweeper({
      database: workerDatabase,
      publishedRetentionHours: config.publishedRetentionHours,
      onError: (error) =>
        logger.warn({ err: error }, 'background work: deleting expired rows failed; retrying at the next interval'),
    }),
    repeat(RECLAIM_EVERY_MS, sweep, (error) =>
      logger.warn({ err: error }, 'background work: reclaiming expired claims failed; retrying at the next interval'),
    ),
    repeat(EXPIRE_EVERY_MS, erase, onEraseError),
  ]);
  return { close: running.close, feed, eraseSoon: () => void erase().catch(onEraseError) };
}

async function expire(config: Config, database: Database, clock: Clock): Promise<void> {
  await deleteExpired(database, config);
  await expireEvents(database, clock.now());
  await deleteUnusedBudgets(database, new Date(clock.now().getTime() - BUDGET_RETENTION_MS));
}
