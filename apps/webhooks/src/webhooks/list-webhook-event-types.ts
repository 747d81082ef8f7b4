import type * as operations from '@cairn/contracts';
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS, webhookBodySchema } from '@cairn/contracts';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { z } from 'zod';
import { exampleBody } from '../intake/example-body.ts';

type Response = JsonResponse<typeof operations.listWebhookEventTypes>;

/** The same for every caller: what the contract says of each event. */
export async function listWebhookEventTypes({
  identity,
}: RequestContext<typeof operations.listWebhookEventTypes>): Promise<Response> {
  return { body: { event_types: WEBHOOK_EVENTS.map((event) => typeOf(event, identity.livemode)) } };
}

function typeOf(event: operations.WebhookEvent, livemode: boolean): Response['body']['event_types'][number] {
  return {
    event,
    description: WEBHOOK_EVENT_TYPES[event].description,
    schema: z.toJSONSchema(webhookBodySchema(event)) as Record<string, unknown>,
    example: exampleBody({ event, livemode }),
  };
}
