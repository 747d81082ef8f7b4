import { natsTooOld } from '@cairn/contracts/nats-version';
import { CairnError } from '@cairn/errors';
import { connect, type JetStreamClient, type JetStreamManager, type NatsConnection } from 'nats';
import { type BrokerSettings, credentialsFor } from './broker-credentials.ts';
import { inboxPrefixOf } from './broker-permissions.ts';
import { ensureStreams } from './streams.ts';

interface EventBusOptions extends BrokerSettings {
  /**
   * What the broker shows for this connection; also the prefix below which replies come. A user of the same name is
   * taken for one who has the permissions of that service only.
   */
  name: string;
  /** Leaves the streams as they are, whoever the user is. */
  isReadOnly?: boolean;
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

const CONNECT_TIMEOUT_MS = 10_000;
const DRAIN_TIMEOUT_MS = 2_000;

/**
 * Connects and, unless as the user of a service, makes sure that the event stream and the dead-letter stream exist.
 * Throws when the server is too old.
 */
export async function connectEventBus(options: EventBusOptions): Promise<EventBus> {
  const { userName, ...credentials } = await credentialsFor(options);
  const connection = await connect({
    ...credentials,
    name: options.name,
    inboxPrefix: inboxPrefixOf(options.name),
    timeout: CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
  });
  const problem = natsTooOld(connection.info?.version ?? '');
  if (problem !== null) {
    await connection.close();
    throw new Error(problem);
  }
  const leavesStreams = userName === options.name || options.isReadOnly === true;
  const manager = await managerOf(connection, options.eventsReplicas ?? 1, leavesStreams).catch(
    async (error: unknown) => {
      // A connection that nobody gets would reconnect for ever.
      await connection.close();
      throw error;
    },
  );
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

/** The user of a service's own may publish and consume and no more: whoever set the broker up has made the streams. */
async function managerOf(
  connection: NatsConnection,
  replicas: number,
  leavesStreams: boolean,
): Promise<JetStreamManager> {
  // Whether JetStream is there shows at once; asking for the account would need one more permission.
  const manager = await connection.jetstreamManager({ checkAPI: false });
  if (!leavesStreams) await ensureStreams(manager, replicas);
  return manager;
}
