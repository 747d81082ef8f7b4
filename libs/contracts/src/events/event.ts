import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Event, EventSchema } from '../gen/cairn/events/v1/events_pb.ts';
import { newId } from '../ids.ts';
import type { EventKind } from './event-declaration.ts';
import { EVENT_SUBJECTS } from './event-table.ts';

export const EVENT_SUBJECT_ROOT = 'cairn.event';
export const DEAD_LETTER_SUBJECT_ROOT = 'cairn.dead';
const NO_TOKEN = '_';

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
  return { tenantId: scope.tenantId, eventId, subject: subjectOf(kind, scope), payload: toBinary(EventSchema, event) };
}

function subjectOf(kind: EventKind, scope: EventScope): string {
  return [EVENT_SUBJECTS[kind], scope.tenantId, scope.workspaceId ?? NO_TOKEN, scope.memoryId ?? NO_TOKEN].join('.');
}

/** Matches every event of a kind. */
export function subjectOfKind(kind: EventKind): string {
  return `${EVENT_SUBJECTS[kind]}.>`;
}

/** Matches the events of any kind about a tenant, or only those about one workspace or memory of it. */
export function subjectOfScope(scope: { tenantId: string; workspaceId?: string; memoryId?: string }): string {
  return `${EVENT_SUBJECT_ROOT}.*.*.*.${scope.tenantId}.${scope.workspaceId ?? '*'}.${scope.memoryId ?? '*'}`;
}

/** The part of a subject that says whose events lie below it; null for what is no subject of an event. */
export function originOfSubject(subject: string): string | null {
  const [root, event, origin] = subject.split('.');
  return `${root}.${event}` === EVENT_SUBJECT_ROOT && origin !== undefined ? origin : null;
}

/** Below which part of the subjects the event belongs; null for a kind that this version does not know. */
export function originOfEvent(event: Event): string | null {
  const kind = event.payload.case;
  return kind === undefined ? null : originOfSubject(EVENT_SUBJECTS[kind]);
}

export function decodeEvent(bytes: Uint8Array): Event {
  return fromBinary(EventSchema, bytes);
}
