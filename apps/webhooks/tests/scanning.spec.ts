import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { createDeliveryQueue } from '../src/sending/delivery-queue.ts';
import { type Environment, newTenant, startEnvironment } from './webhooks-harness.ts';

let environment: Environment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.close());

it('scans continue where the one before ended, so that every webhook with something in the queue is found', async () => {
  const webhookIds = Array.from({ length: 3 }, () => newId('webhook')).toSorted();
  const first = new Date('2030-01-01T00:00:00Z');
  const second = new Date('2030-01-02T00:00:00Z');
  for (const webhookId of webhookIds)
    for (const dueAt of [second, first])
      await environment.ask(
        `INSERT INTO delivery_queue (tenant_id, delivery_id, webhook_id, event_id, due_at, attempts, round)
         VALUES ($1, $2, $3, $4, $5, 0, 1)`,
        [newTenant().tenantId, newId('delivery'), webhookId, newId('event'), dueAt],
      );
  const [a, b, c] = webhookIds.map((webhookId) => ({ webhook_id: webhookId, due_at: first }));
  const queue = createDeliveryQueue(environment.database.worker, 2);
  const scan = (after: string) => queue.scan('first', after);

  const begun = await scan('');
  expect(begun).toEqual({ due: [a, b], lastWebhookId: b!.webhook_id });
  const ended = await scan(begun.lastWebhookId);
  expect(ended).toEqual({ due: [c], lastWebhookId: '' });
  expect((await scan(ended.lastWebhookId)).due).toEqual([a, b]);
  // When nothing is left behind the last one, the next scan begins at the first again.
  expect(await scan(c!.webhook_id)).toEqual({ due: [], lastWebhookId: '' });
});
