import { EVENT_CONSUMERS, type EventConsumer } from '@cairn/contracts';
import { consumeEventBatches, type EventBus, relayOutbox } from '@cairn/events';
import type { Database } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import { consumeEventBatch } from './intake/consume-events.ts';
import { parseEvent } from './intake/incoming-event.ts';

const BATCH_MAX = 200;

/** Publishes the service's own events; consumes those of others in batches and inserts their deliveries. */
export async function startEvents(
  bus: EventBus,
  deps: {
    workerDatabase: Database;
    now: () => Date;
    hint: (webhookId: string) => void;
    onDeferred: () => void;
    logger: Logger;
  },
): Promise<Running[]> {
  const consume = (consumer: EventConsumer) =>
    consumeEventBatches({
      bus,
      ...consumer,
      logger: deps.logger,
      batchMax: BATCH_MAX,
      read: parseEvent,
      async handle(events) {
        const { webhookIds, isDeferred } = await consumeEventBatch(deps, events);
        for (const webhookId of webhookIds) deps.hint(webhookId);
        if (isDeferred) deps.onDeferred();
      },
    });
  return [
    await relayOutbox({ bus, database: deps.workerDatabase, schema: 'webhooks', logger: deps.logger }),
    await consume(EVENT_CONSUMERS.webhooks),
    await consume(EVENT_CONSUMERS.webhooksRuns),
    await consume(EVENT_CONSUMERS.webhooksKeys),
  ];
}
