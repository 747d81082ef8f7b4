import type * as operations from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import type { KeyRing } from '@cairn/encryption';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import type { Clock } from '../clock.ts';
import { presentWebhook } from './present-webhook.ts';
import { generateSigningSecret, signingSecretContext } from '../signing/signing-secret.ts';
import { findWebhook, updateSecrets, lockWebhook } from './webhook-store.ts';

interface RotateDeps {
  database: Database;
  keyRing: KeyRing;
  clock: Clock;
}

/** Generates a new signing secret. Until the overlap ends the old one signs as before, and the new one as well. */
export async function rotateWebhookSecret(
  deps: RotateDeps,
  context: RequestContext<typeof operations.rotateWebhookSecret>,
): Promise<JsonResponse<typeof operations.rotateWebhookSecret>> {
  const { tenantId } = context.identity;
  const response = await deps.database.withTenant(tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: context.identity,
        operation: 'rotateWebhookSecret',
        key: context.idempotencyKey,
        request: { ...context.params, ...context.body },
        secretFields: ['secret'],
      },
      async () => ({ status: 200, body: await rotate(tx, deps, context) }),
    ),
  );
  return response as JsonResponse<typeof operations.rotateWebhookSecret>;
}

async function rotate(tx: Tx, deps: RotateDeps, context: RequestContext<typeof operations.rotateWebhookSecret>) {
  const { webhook_id: webhookId } = context.params;
  const overlapMs = context.body.overlap_seconds * 1_000;
  const now = deps.clock.now();
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
  const encrypted = await deps.keyRing.encrypt(signingSecretContext(webhookId), secret);
  // After the overlap the next secret is in force, whether or not endRotations() has run.
  const inForce = underWay ? row.secret_sealed : (row.next_secret_sealed ?? row.secret_sealed);
  await updateSecrets(
    tx,
    webhookId,
    overlapMs === 0
      ? { secret_sealed: encrypted, next_secret_sealed: null, secret_rotates_at: null }
      : {
          secret_sealed: inForce,
          next_secret_sealed: encrypted,
          secret_rotates_at: new Date(now.getTime() + overlapMs),
        },
  );
  return { ...presentWebhook((await findWebhook(tx, webhookId))!), secret };
}
