import type * as operations from '@cairn/contracts';
import { type Database, idempotent } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import type { Clock } from '../clock.ts';
import { requireWebhook } from '../webhooks/require-webhook.ts';
import { requeueDeadLetters } from './requeue.ts';

const REPLAY_BATCH = 5_000;
/** More than these are left for the next request; the returned count shows it. */
const REPLAY_MAX = 100_000;

/** Replays dead letters, all or the named ones; each at once and with the whole retry schedule. */
export async function replayDeadLetters(
  deps: { database: Database; clock: Clock; hint: (webhookId: string) => void },
  context: RequestContext<typeof operations.replayDeadLetters>,
): Promise<JsonResponse<typeof operations.replayDeadLetters>> {
  const { tenantId } = context.identity;
  const { webhook_id: webhookId } = context.params;
  const now = deps.clock.now();
  const options = { dueAt: now, deadBefore: now, limit: REPLAY_BATCH };
  const filter = { webhookId, deliveryIds: context.body.delivery_ids, event: context.body.event };
  const response = await deps.database.withTenant(tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: context.identity,
        operation: 'replayDeadLetters',
        key: context.idempotencyKey,
        request: { ...context.params, ...context.body },
      },
      async () => {
        await requireWebhook(tx, webhookId);
        let replayed = 0;
        for (;;) {
          const count = await requeueDeadLetters(tx, filter, options);
          replayed += count;
          if (count < REPLAY_BATCH || replayed >= REPLAY_MAX) return { status: 202, body: { replayed } };
        }
      },
    ),
  );
  deps.hint(webhookId);
  return response as JsonResponse<typeof operations.replayDeadLetters>;
}
