import { newId, WEBHOOK_EVENT_TYPES, type WebhookEvent } from '@cairn/contracts';
import { bodyOf } from './envelope.ts';

/** What a delivery of the event may look like. Its ids exist nowhere unless they are given. */
export function exampleBody(example: {
  event: WebhookEvent;
  livemode: boolean;
  eventId?: string;
  tenantId?: string;
  at?: Date;
  isTest?: boolean;
}): Record<string, unknown> {
  const { event, livemode, isTest } = example;
  const body = bodyOf({
    event,
    livemode,
    eventId: example.eventId ?? newId('event'),
    at: example.at ?? new Date(),
    tenantId: example.tenantId ?? newId('tenant'),
    workspaceId: newId('workspace'),
    memoryId: newId('memory'),
    payload: WEBHOOK_EVENT_TYPES[event].example,
  });
  return isTest === true ? { ...body, test: true } : body;
}
