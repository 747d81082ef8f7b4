import { newId, WEBHOOK_EVENT_TYPES, type WebhookEvent } from '@cairn/contracts';

/** What a delivery of the event may look like. Its ids exist nowhere unless they are given. */
export function exampleBody(example: {
  event: WebhookEvent;
  livemode: boolean;
  eventId?: string;
  tenantId?: string;
  at?: Date;
  isTest?: boolean;
}): Record<string, unknown> {
  return {
    event_id: example.eventId ?? newId('event'),
    event: example.event,
    occurred_at: (example.at ?? new Date()).toISOString(),
    livemode: example.livemode,
    scope: {
      tenant_id: example.tenantId ?? newId('tenant'),
      workspace_id: newId('workspace'),
      memory_id: newId('memory'),
    },
    payload: WEBHOOK_EVENT_TYPES[example.event].example,
    ...(example.isTest === true ? { test: true } : {}),
  };
}
