import { DEAD_LETTER_SUBJECT_ROOT, EVENT_SUBJECT_ROOT } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import {
  connect,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  nanos,
  RetentionPolicy,
  StorageType,
} from 'nats';

export interface EventBusOptions {
  /** nats://[token@]host:port, several separated by commas. */
  url: string;
  name: string;
  /** Copies a cluster keeps of the streams; 1 on a single server. */
  replicas?: number;
}

/** One connection to the broker with the streams in place. */
export interface EventBus {
  connection: NatsConnection;
  jetStream: JetStreamClient;
  manager: JetStreamManager;
  /** Throws `unavailable` when the broker does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export const EVENT_STREAM = 'CAIRN_EVENTS';
export const DEAD_LETTER_STREAM = 'CAIRN_DEAD';
const EVENT_KEEP_DAYS = 14;
const DEAD_LETTER_KEEP_DAYS = 30;
const DEDUPLICATION_WINDOW_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
const CONNECT_TIMEOUT_MS = 10_000;
const DRAIN_TIMEOUT_MS = 2_000;

/** Connects and makes sure that the event stream and the dead-letter stream exist. */
export async function connectEventBus(options: EventBusOptions): Promise<EventBus> {
  const servers = options.url.split(',').map((url) => new URL(url.trim()));
  const first = servers[0]!;
  const connection = await connect({
    servers: servers.map((url) => url.host),
    name: options.name,
    ...(first.password !== ''
      ? { user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) }
      : {}),
    ...(first.password === '' && first.username !== '' ? { token: decodeURIComponent(first.username) } : {}),
    timeout: CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
  });
  const manager = await ensureStreams(connection, options.replicas ?? 1).catch(async (error: unknown) => {
    // A connection that nobody gets would reconnect for ever.
    await connection.close();
    throw error;
  });
  return {
    connection,
    manager,
    jetStream: connection.jetstream(),
    async ping() {
      const answered = await Promise.race([
        connection.flush().then(
          () => true,
          () => false,
        ),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 1_000).unref()),
      ]);
      if (!answered) throw new CairnError('unavailable', 'The event broker cannot be reached right now.');
    },
    async close() {
      // While the broker is away a drain settles without closing, and the client would look for the broker for ever.
      await Promise.race([
        connection.drain().catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, DRAIN_TIMEOUT_MS).unref()),
      ]);
      await connection.close();
    },
  };
}

async function ensureStreams(connection: NatsConnection, replicas: number): Promise<JetStreamManager> {
  const manager = await connection.jetstreamManager();
  const common = { storage: StorageType.File, retention: RetentionPolicy.Limits, num_replicas: replicas };
  await ensureStream(manager, {
    ...common,
    name: EVENT_STREAM,
    subjects: [`${EVENT_SUBJECT_ROOT}.>`],
    max_age: nanos(EVENT_KEEP_DAYS * DAY_MS),
    duplicate_window: nanos(DEDUPLICATION_WINDOW_MS),
  });
  await ensureStream(manager, {
    ...common,
    name: DEAD_LETTER_STREAM,
    subjects: [`${DEAD_LETTER_SUBJECT_ROOT}.>`],
    max_age: nanos(DEAD_LETTER_KEEP_DAYS * DAY_MS),
    duplicate_window: nanos(DEDUPLICATION_WINDOW_MS),
  });
  return manager;
}

type StreamSettings = Parameters<JetStreamManager['streams']['add']>[0] & { name: string };

async function ensureStream(manager: JetStreamManager, settings: StreamSettings): Promise<void> {
  const exists = await manager.streams.info(settings.name).then(
    () => true,
    () => false,
  );
  // `add` with the same settings is a no-op, so two parts that start together do not collide.
  if (exists) await manager.streams.update(settings.name, settings);
  else await manager.streams.add(settings);
}
