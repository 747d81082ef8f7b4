import type * as operations from '@cairn/contracts';
import { newId } from '@cairn/contracts';
import type { KeyRing } from '@cairn/encryption';
import { CairnError } from '@cairn/errors';
import type { Outbound } from '@cairn/outbound';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { generateSigningSecret, signingSecretContext } from '../signing/signing-secret.ts';
import { endpointUrl } from './endpoint-url.ts';
import { presentWebhook } from './present-webhook.ts';
import { countForLimit, findWebhook, insertWebhook } from './webhook-store.ts';

export const WEBHOOKS_PER_TENANT_MAX = 100;

/** Registers an endpoint. The secret is in the response and, encrypted, in the database. */
export async function createWebhook(
  deps: { database: Database; outbound: Outbound; keyRing: KeyRing },
  context: RequestContext<typeof operations.createWebhook>,
): Promise<JsonResponse<typeof operations.createWebhook>> {
  const { identity, body } = context;
  const url = endpointUrl(deps.outbound, body.url);
  const response = await deps.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: identity,
        operation: 'createWebhook',
        key: context.idempotencyKey,
        request: body,
        secretFields: ['secret'],
      },
      async () => ({ status: 201, body: await insert(tx, deps.keyRing, context, url) }),
    ),
  );
  return response as JsonResponse<typeof operations.createWebhook>;
}

async function insert(
  tx: Tx,
  keyRing: KeyRing,
  { identity, body }: RequestContext<typeof operations.createWebhook>,
  url: string,
) {
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
    secret_sealed: await keyRing.encrypt(signingSecretContext(webhookId), secret),
  });
  return { ...presentWebhook((await findWebhook(tx, webhookId))!), secret };
}
