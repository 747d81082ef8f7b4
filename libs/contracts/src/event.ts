import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Event, EventSchema } from './gen/cairn/events/v1/events_pb.ts';
import { newId } from './ids.ts';

/** The subject each kind of event is published under. */
export const EVENT_SUBJECTS = {
  tenantChanged: 'cairn.event.tenancy.tenant.changed',
  workspaceCreated: 'cairn.event.tenancy.workspace.created',
  memoryCreated: 'cairn.event.tenancy.memory.created',
  keyCreated: 'cairn.event.keys.key.created',
  ingestCompleted: 'cairn.event.memory.ingest.completed',
} as const;

export type EventKind = keyof typeof EVENT_SUBJECTS;
export const EVENT_SUBJECT_ROOT = 'cairn.event';
export const DEAD_LETTER_SUBJECT_ROOT = 'cairn.dead';

/** Whom an event is about. */
export interface EventScope {
  tenantId: string;
  livemode: boolean;
  workspaceId?: string;
  memoryId?: string;
}

type PayloadInit = Exclude<NonNullable<MessageInitShape<typeof EventSchema>['payload']>, { case: undefined }>;
type PayloadOf<Kind extends EventKind> = Extract<PayloadInit, { case: Kind }>['value'];

/** An event ready for the outbox. */
export interface EncodedEvent {
  tenantId: string;
  eventId: string;
  subject: string;
  payload: Uint8Array;
}

/** Makes and encodes an event of the kind, with a fresh id. */
export function encodeEvent<Kind extends EventKind>(
  kind: Kind,
  scope: EventScope,
  payload: PayloadOf<Kind>,
  occurredAt: Date = new Date(),
): EncodedEvent {
  const eventId = newId('event');
  const event = create(EventSchema, {
    eventId,
    tenantId: scope.tenantId,
    livemode: scope.livemode,
    workspaceId: scope.workspaceId ?? '',
    memoryId: scope.memoryId ?? '',
    occurredAt: timestampFromDate(occurredAt),
    payload: { case: kind, value: payload } as PayloadInit,
  });
  return { tenantId: scope.tenantId, eventId, subject: EVENT_SUBJECTS[kind], payload: toBinary(EventSchema, event) };
}

export function decodeEvent(bytes: Uint8Array): Event {
  return fromBinary(EventSchema, bytes);
}
