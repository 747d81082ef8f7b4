import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OutboundError } from '@cairn/outbound';
import { eventually } from '@cairn/testing';
import { createFakeClock } from './fake-clock.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { ingested, newTenant, type RunningWebhooks, runWebhooks } from './webhooks-harness.ts';

const clock = createFakeClock();
let lookUps = 0;
let webhooks: RunningWebhooks;
let receiver: Receiver;
beforeAll(async () => {
  const resolve = async () => {
    lookUps += 1;
    if (lookUps === 1) throw new OutboundError('name_not_resolved', 'the name could not be resolved', undefined);
    return ['127.0.0.1'];
  };
  webhooks = await runWebhooks({ ports: { clock, resolve } });
  receiver = await startReceiver();
});
afterAll(async () => {
  await webhooks.close();
  await receiver.close();
});

it('an event whose host name could not be looked up once arrives with the first retry', async () => {
  const tenant = newTenant();
  const { webhook_id: id } = await webhooks.register(tenant, `http://hooks.localhost:${receiver.port}/hook`);
  await webhooks.emit(tenant, 'ingestCompleted', ingested());
  await eventually(
    () => webhooks.deliveries(tenant, id),
    ([one]) => one?.state === 'pending' && one.attempts.at(-1)?.outcome === 'connection_failed',
  );
  clock.advance(1_000);
  const [delivered] = await eventually(
    () => webhooks.deliveries(tenant, id),
    ([one]) => one.attempts.length === 2 && one.attempts[1].outcome !== null,
  );
  expect(delivered.attempts[1]).toMatchObject({ retry: 1, outcome: 'delivered' });
}, 30_000);
