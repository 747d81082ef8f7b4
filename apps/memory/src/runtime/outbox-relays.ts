import { type BrokerSettings, type EventBus, relayOutbox, runEventWork } from '@cairn/events';
import type { Database } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';

export interface OutboxRelays extends Running {
  /** Publishes what the engine's outbox holds, from when the broker is there until it is closed. */
  add(workerDatabase: Database, logger: Logger): Running;
}

/** The relays of all engines over one connection to the broker. */
export function startOutboxRelays(options: { broker: BrokerSettings; logger: Logger }): OutboxRelays {
  let connected: (bus: EventBus) => void = () => undefined;
  const bus = new Promise<EventBus>((resolve) => {
    connected = resolve;
  });
  const work = runEventWork({
    broker: options.broker,
    name: 'memory',
    logger: options.logger,
    start: async (connection) => {
      connected(connection);
      return [];
    },
  });
  return {
    add(workerDatabase, logger) {
      let closed = false;
      let relay: Promise<Running | null> | null = null;
      void bus.then((connection) => {
        if (!closed) relay = relayOutbox({ bus: connection, database: workerDatabase, schema: 'memory', logger });
      });
      return {
        async close() {
          closed = true;
          await (await relay)?.close();
        },
      };
    },
    close: () => work.close(),
  };
}
