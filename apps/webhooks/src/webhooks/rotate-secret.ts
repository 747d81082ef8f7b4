import type { rotateWebhookSecret } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import type { Sealing } from '@cairn/sealing';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import type { Clock } from '../clock.ts';
import { presentWebhook } from './present-webhook.ts';
import { generateSigningSecret, placeOf } from './signing-secret.ts';
import { findWebhook, keepSecrets, lockWebhook } from './webhook-store.ts';

export interface RotateParts {
  database: Database;
  sealing: Sealing;
  clock: Clock;
}

/** Makes a new signing secret. Until the overlap ends the old one signs as before, and the new one beside it. */
export async function rotateSecret(
  parts: RotateParts,
  call: Call<typeof rotateWebhookSecret>,
): Promise<JsonAnswer<typeof rotateWebhookSecret>> {
  const { tenantId } = call.identity;
  const answer = await parts.database.withTenant(tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: call.identity,
        operation: 'rotateWebhookSecret',
        key: call.idempotencyKey,
        request: { ...call.params, ...call.body },
        secretFields: ['secret'],
      },
      async () => ({ status: 200, body: await rotate(tx, parts, call) }),
    ),
  );
  return answer as JsonAnswer<typeof rotateWebhookSecret>;
}

async function rotate(tx: Tx, parts: RotateParts, call: Call<typeof rotateWebhookSecret>) {
  const { webhook_id: webhookId } = call.params;
  const overlapMs = call.body.overlap_seconds * 1_000;
  const now = parts.clock.now();
  const row = await lockWebhook(tx, webhookId);
  if (row === null) throw notFound('The webhook');
  const underWay = row.secret_rotates_at !== null && row.secret_rotates_at > now;
  if (underWay && overlapMs > 0) {
    throw new CairnError(
      'conflict',
      `A rotation is under way until ${row.secret_rotates_at!.toISOString()}; rotate with overlap_seconds 0 to end it now.`,
    );
  }
  const secret = generateSigningSecret();
  const sealed = await parts.sealing.seal(placeOf(webhookId), secret);
  // An overlap that has ended leaves the next secret in force, whether or not somebody has tidied up.
  const inForce = underWay ? row.secret_sealed : (row.next_secret_sealed ?? row.secret_sealed);
  await keepSecrets(
    tx,
    webhookId,
    overlapMs === 0
      ? { secret_sealed: sealed, next_secret_sealed: null, secret_rotates_at: null }
      : {
          secret_sealed: inForce,
          next_secret_sealed: sealed,
          secret_rotates_at: new Date(now.getTime() + overlapMs),
        },
  );
  return { ...presentWebhook((await findWebhook(tx, webhookId))!), secret };
}
