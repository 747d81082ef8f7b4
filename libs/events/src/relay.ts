import { type Database, startOutboxRelay } from '@cairn/postgres';
import type { Logger } from 'pino';
import type { EventBus } from './connection.ts';
import { publishEvent } from './publish.ts';

/** Publishes what the service's outbox holds, for as long as it runs. */
export function relayOutbox(options: {
  bus: EventBus;
  database: Database;
  schema: string;
  logger: Logger;
}): Promise<{ close(): Promise<void> }> {
  return startOutboxRelay({
    database: options.database,
    schema: options.schema,
    publish: (message) => publishEvent(options.bus, message),
    onError: (error) =>
      options.logger.warn({ err: error }, 'outbox relay: publishing failed; retrying the events in the outbox'),
  });
}
