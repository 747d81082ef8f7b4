import { z } from 'zod';
import type { Event } from '../gen/cairn/events/v1/events_pb.ts';
import type { EventKind, PublicDeclaration } from './event-declaration.ts';
import { EVENTS } from './event-table.ts';

type Declared = NonNullable<(typeof EVENTS)[EventKind]['public']>;

/** The events of the stream, by the interface's names. */
export type StreamEvent = Declared['event'];
/** The events that a webhook can subscribe to. */
export type WebhookEvent = Extract<Declared, { sentTo: 'webhooks' }>['event'];

type PublicEvent = PublicDeclaration<never, StreamEvent>;

/** Each event that webhooks can subscribe to, with what is declared of it. */
export const WEBHOOK_EVENT_TYPES = eventsSentTo<WebhookEvent>('webhooks');
/** Each event that only the event stream sends, with what is declared of it. */
export const STREAM_ONLY_TYPES = eventsSentTo<Exclude<StreamEvent, WebhookEvent>>('stream');
/** Each event of the stream, with what is declared of it: those of webhooks first. */
export const STREAM_EVENT_TYPES: Readonly<Record<StreamEvent, PublicEvent>> = {
  ...WEBHOOK_EVENT_TYPES,
  ...STREAM_ONLY_TYPES,
};

export const WEBHOOK_EVENTS = Object.keys(WEBHOOK_EVENT_TYPES) as readonly WebhookEvent[];
export const STREAM_EVENTS = Object.keys(STREAM_EVENT_TYPES) as readonly StreamEvent[];

function eventsSentTo<Name extends StreamEvent>(receivers: Declared['sentTo']): Readonly<Record<Name, PublicEvent>> {
  const declared = Object.values(EVENTS).flatMap((each): PublicEvent[] => (each.public === null ? [] : [each.public]));
  const sent = declared.filter(({ sentTo }) => sentTo === receivers);
  return Object.fromEntries(sent.map((each) => [each.event, each])) as Record<Name, PublicEvent>;
}

/** What is sent of one event. */
interface PublicPayload {
  event: StreamEvent;
  /** The vaults of the documents that it is about; empty when it is about none. */
  vaultIds: readonly string[];
  payload: object;
}

/** The event with the API's names; null for one that is sent to nobody, or of a kind that this version does not know. */
export function publicPayload({ payload: { case: kind, value } }: Event): PublicPayload | null {
  if (kind === undefined) return null;
  // Its functions take the message of their kind, which the table makes sure of.
  const declared = EVENTS[kind].public as PublicDeclaration<typeof value, StreamEvent> | null;
  if (declared === null) return null;
  return {
    event: declared.event,
    vaultIds: declared.vaultIds?.(value) ?? [],
    payload: declared.toPayload(value),
  };
}

/** The whole body of a delivery of the event. */
export function webhookBodySchema(event: WebhookEvent): z.ZodObject {
  return streamBodySchema(event).extend({
    test: z.literal(true).optional().meta({ description: 'There when somebody tries the webhook: nothing happened.' }),
  });
}

/** What the stream sends of the event. */
export function streamBodySchema(event: StreamEvent): z.ZodObject {
  return z.strictObject({
    event_id: z.string().meta({ description: 'The same at every attempt; ignore one that you have handled.' }),
    event: z.literal(event),
    occurred_at: z.iso.datetime(),
    livemode: z.boolean().meta({ description: 'False in the test environment.' }),
    scope: z.strictObject({ tenant_id: z.string(), workspace_id: z.string(), memory_id: z.string() }),
    payload: STREAM_EVENT_TYPES[event].payload,
  });
}
