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

it('a scan of first attempts does not read the retries that wait', async () => {
  await environment.ask(
    `INSERT INTO delivery_queue (tenant_id, delivery_id, webhook_id, event_id, due_at, attempts, round, retry)
     SELECT 'tnt_retries', 'dlv_retry_' || n, 'whk_' || lpad((n % 10)::text, 3, '0'), 'evt_' || n, now(), 1, 1, 1
       FROM generate_series(1, 20000) n`,
  );
  await environment.ask('ANALYZE delivery_queue');
  const [plan] = await environment.ask<{ 'QUERY PLAN': [{ Plan: object }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON)
     SELECT webhook_id, due_at FROM delivery_queue
      WHERE webhook_id > '' AND retry = 0 AND NOT is_test AND claimed_until IS NULL
      ORDER BY webhook_id, due_at LIMIT 1`,
  );
  const text = JSON.stringify(plan);
  expect(text).toContain('"delivery_queue_first"');
  expect(text).not.toMatch(/"Rows Removed by Filter":[1-9]/);
});
