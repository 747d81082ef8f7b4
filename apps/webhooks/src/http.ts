import * as operation from '@cairn/contracts';
import type { Outbound } from '@cairn/outbound';
import type { Database } from '@cairn/postgres';
import type { Sealing } from '@cairn/sealing';
import { answer, type BoundOperation } from '@cairn/service-kit';
import type { Clock } from './clock.ts';
import { listWebhookDeliveries, readDelivery } from './deliveries/read-deliveries.ts';
import { replayMany } from './deliveries/replay-dead-letters.ts';
import { replayOne } from './deliveries/replay-delivery.ts';
import { sendTest } from './deliveries/test-webhook.ts';
import { registerWebhook } from './webhooks/create-webhook.ts';
import { removeWebhook } from './webhooks/delete-webhook.ts';
import { listTenantWebhooks, readWebhook } from './webhooks/read-webhooks.ts';
import { rotateSecret } from './webhooks/rotate-secret.ts';
import { updateTenantWebhook } from './webhooks/update-webhook.ts';

export interface OperationParts {
  database: Database;
  sealing: Sealing;
  outbound: Outbound;
  clock: Clock;
  /** Something may be due for the webhook. */
  hint: (webhookId: string) => void;
  /** Something was deleted whose rows wait to be erased. */
  eraseSoon: () => void;
}

/** The operations this service answers. */
export function operations(parts: OperationParts): BoundOperation[] {
  return [
    answer(operation.createWebhook, (call) => registerWebhook(parts, call)),
    answer(operation.listWebhooks, (call) => listTenantWebhooks(parts, call)),
    answer(operation.getWebhook, (call) => readWebhook(parts, call)),
    answer(operation.updateWebhook, (call) => updateTenantWebhook(parts, call)),
    answer(operation.deleteWebhook, (call) => removeWebhook(parts, call)),
    answer(operation.rotateWebhookSecret, (call) => rotateSecret(parts, call)),
    answer(operation.testWebhook, (call) => sendTest(parts, call)),
    answer(operation.listDeliveries, (call) => listWebhookDeliveries(parts, call)),
    answer(operation.getDelivery, (call) => readDelivery(parts, call)),
    answer(operation.replayDelivery, (call) => replayOne(parts, call)),
    answer(operation.replayDeadLetters, (call) => replayMany(parts, call)),
  ];
}
