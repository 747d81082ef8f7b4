import { EVENT_CONSUMERS } from '@cairn/contracts';
import { consumeEventBatches, type EventBus } from '@cairn/events';
import type { Database } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import { arrivedOf, takeInEvents } from './intake/take-in-events.ts';

const BATCH_MAX = 200;

/** Makes deliveries of what happens, many events at a time. */
export async function startEvents(
  bus: EventBus,
  parts: {
    workerDatabase: Database;
    now: () => Date;
    hint: (webhookId: string) => void;
    onDeferred: () => void;
    logger: Logger;
  },
): Promise<Running[]> {
  return [
    await consumeEventBatches({
      bus,
      ...EVENT_CONSUMERS.webhooks,
      logger: parts.logger,
      batchMax: BATCH_MAX,
      read: arrivedOf,
      async handle(arrivals) {
        const { webhookIds, isDeferred } = await takeInEvents(parts, arrivals);
        for (const webhookId of webhookIds) parts.hint(webhookId);
        if (isDeferred) parts.onDeferred();
      },
    }),
  ];
}
