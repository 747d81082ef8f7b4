import * as operations from '@cairn/contracts';
import type { KeyRing } from '@cairn/encryption';
import type { Outbound } from '@cairn/outbound';
import type { Database } from '@cairn/postgres';
import { type BoundOperation, handle, stream } from '@cairn/service-kit';
import type { Clock } from './clock.ts';
import { getDelivery } from './deliveries/get-delivery.ts';
import { getWebhookStats } from './deliveries/get-webhook-stats.ts';
import { listAllDeliveries } from './deliveries/list-all-deliveries.ts';
import { listDeliveries } from './deliveries/list-deliveries.ts';
import { replayDeadLetters } from './deliveries/replay-dead-letters.ts';
import { replayDelivery } from './deliveries/replay-delivery.ts';
import { testWebhook } from './deliveries/test-webhook.ts';
import type { EventFeed } from './stream/event-feed.ts';
import { streamEvents } from './stream/stream-events.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { getWebhook } from './webhooks/get-webhook.ts';
import { listWebhookEventTypes } from './webhooks/list-webhook-event-types.ts';
import { listWebhooks } from './webhooks/list-webhooks.ts';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts';
import { updateWebhook } from './webhooks/update-webhook.ts';

interface OperationDeps {
  database: Database;
  keyRing: KeyRing;
  outbound: Outbound;
  clock: Clock;
  feed: EventFeed;
  /** Something may be due for the webhook. */
  hint: (webhookId: string) => void;
  /** Something was deleted whose rows wait to be erased. */
  eraseSoon: () => void;
}

/** The operations of this service, bound to their handlers. */
export function boundOperations(deps: OperationDeps): BoundOperation[] {
  return [
    stream(operations.streamEvents, (request, emit) => streamEvents(deps, request, emit)),
    handle(operations.createWebhook, (request) => createWebhook(deps, request)),
    handle(operations.listWebhooks, (request) => listWebhooks(deps, request)),
    // Before the webhook of an id: their paths would be one.
    handle(operations.listAllDeliveries, (request) => listAllDeliveries(deps, request)),
    handle(operations.getWebhookStats, (request) => getWebhookStats(deps, request)),
    handle(operations.listWebhookEventTypes, listWebhookEventTypes),
    handle(operations.getWebhook, (request) => getWebhook(deps, request)),
    handle(operations.updateWebhook, (request) => updateWebhook(deps, request)),
    handle(operations.deleteWebhook, (request) => deleteWebhook(deps, request)),
    handle(operations.rotateWebhookSecret, (request) => rotateWebhookSecret(deps, request)),
    handle(operations.testWebhook, (request) => testWebhook(deps, request)),
    handle(operations.listDeliveries, (request) => listDeliveries(deps, request)),
    handle(operations.getDelivery, (request) => getDelivery(deps, request)),
    handle(operations.replayDelivery, (request) => replayDelivery(deps, request)),
    handle(operations.replayDeadLetters, (request) => replayDeadLetters(deps, request)),
  ];
}
