import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type Event, publicPayload, type StreamEvent } from '@cairn/contracts';

/** The form in which an event is delivered. */
export interface Envelope {
  event: StreamEvent;
  /** The vaults of the documents that it is about; empty when it is about none. */
  vaultIds: readonly string[];
  /** The JSON text, signed and sent as it is. */
  body: string;
}

interface PublicEvent {
  eventId: string;
  event: string;
  at: Date;
  livemode: boolean;
  tenantId: string;
  workspaceId: string;
  memoryId: string;
  payload: object;
}

/** What is sent of an event, with the API's names, in the order in which it is written. */
export function bodyOf(published: PublicEvent): Record<string, unknown> {
  const { eventId, event, at, livemode, tenantId, workspaceId, memoryId, payload } = published;
  return {
    event_id: eventId,
    event,
    occurred_at: at.toISOString(),
    livemode,
    scope: { tenant_id: tenantId, workspace_id: workspaceId, memory_id: memoryId },
    payload,
  };
}

/** The event as receivers see it, with the API's names; null for events that are sent to nobody. */
export function envelopeOf(event: Event): Envelope | null {
  const shown = publicPayload(event);
  if (shown === null) return null;
  const at = timestampDate(event.occurredAt!);
  const body = JSON.stringify(bodyOf({ ...event, event: shown.event, at, payload: shown.payload }));
  return { event: shown.event, vaultIds: shown.vaultIds, body };
}

/** The body of a test ping. */
export function testBody({
  webhookId,
  ...ping
}: Pick<PublicEvent, 'eventId' | 'event' | 'tenantId' | 'livemode' | 'at'> & { webhookId: string }): string {
  return JSON.stringify(bodyOf({ ...ping, workspaceId: '', memoryId: '', payload: { webhook_id: webhookId } }));
}
