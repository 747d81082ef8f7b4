import { type createWebhook, newId } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Outbound } from '@cairn/outbound';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import type { Sealing } from '@cairn/sealing';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { endpointUrl } from './endpoint-url.ts';
import { presentWebhook } from './present-webhook.ts';
import { generateSigningSecret, placeOf } from './signing-secret.ts';
import { countForLimit, findWebhook, insertWebhook } from './webhook-store.ts';

export const WEBHOOKS_PER_TENANT_MAX = 100;

/** Registers an endpoint. The secret is in the answer and, sealed, in the database. */
export async function registerWebhook(
  parts: { database: Database; outbound: Outbound; sealing: Sealing },
  call: Call<typeof createWebhook>,
): Promise<JsonAnswer<typeof createWebhook>> {
  const { identity, body } = call;
  const url = endpointUrl(parts.outbound, body.url);
  const answer = await parts.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: identity,
        operation: 'createWebhook',
        key: call.idempotencyKey,
        request: body,
        secretFields: ['secret'],
      },
      async () => ({ status: 201, body: await insert(tx, parts.sealing, call, url) }),
    ),
  );
  return answer as JsonAnswer<typeof createWebhook>;
}

async function insert(tx: Tx, sealing: Sealing, { identity, body }: Call<typeof createWebhook>, url: string) {
  if ((await countForLimit(tx, identity.tenantId)) >= WEBHOOKS_PER_TENANT_MAX)
    throw new CairnError('conflict', `A tenant has at most ${WEBHOOKS_PER_TENANT_MAX} webhooks.`);
  const webhookId = newId('webhook');
  const secret = generateSigningSecret();
  await insertWebhook(tx, {
    tenant_id: identity.tenantId,
    webhook_id: webhookId,
    url,
    events: body.events,
    description: body.description,
    active: body.active,
    auto_replay: body.auto_replay,
    livemode: identity.livemode,
    secret_sealed: await sealing.seal(placeOf(webhookId), secret),
  });
  return { ...presentWebhook((await findWebhook(tx, webhookId))!), secret };
}
