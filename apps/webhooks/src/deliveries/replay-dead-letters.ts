import type { replayDeadLetters } from '@cairn/contracts';
import { type Database, idempotent } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import type { Clock } from '../clock.ts';
import { assertWebhook } from './read-deliveries.ts';
import { requeueDeadLetters } from './requeue.ts';

const REPLAY_BATCH = 5_000;
/** More in one call are left for the next one, and said so by their count. */
const REPLAY_MAX = 100_000;

/** Delivers dead letters again, all or those that are named; each at once and with the whole schedule before it. */
export async function replayMany(
  parts: { database: Database; clock: Clock; hint: (webhookId: string) => void },
  call: Call<typeof replayDeadLetters>,
): Promise<JsonAnswer<typeof replayDeadLetters>> {
  const { tenantId } = call.identity;
  const { webhook_id: webhookId } = call.params;
  const now = parts.clock.now();
  const options = { dueAt: now, deadBefore: now, limit: REPLAY_BATCH };
  const what = { webhookId, deliveryIds: call.body.delivery_ids, event: call.body.event };
  const answer = await parts.database.withTenant(tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: call.identity,
        operation: 'replayDeadLetters',
        key: call.idempotencyKey,
        request: { ...call.params, ...call.body },
      },
      async () => {
        await assertWebhook(tx, webhookId);
        let replayed = 0;
        for (;;) {
          const some = await requeueDeadLetters(tx, what, options);
          replayed += some;
          if (some < REPLAY_BATCH || replayed >= REPLAY_MAX) return { status: 202, body: { replayed } };
        }
      },
    ),
  );
  parts.hint(webhookId);
  return answer as JsonAnswer<typeof replayDeadLetters>;
}
