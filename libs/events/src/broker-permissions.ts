import {
  deadLettersOf,
  EVENT_CONSUMERS,
  EVENT_ERASER,
  EVENT_PUBLISHERS,
  type EventConsumer,
  type EventKind,
  EVENT_SERVICES,
  type EventService,
  JOURNAL_SERVICES,
  journalSubjectOf,
  publishableSubject,
} from '@cairn/contracts';
import { DEAD_LETTER_STREAM, EVENT_STREAM, JOURNAL_STREAM } from './streams.ts';

/** What one user of the broker may do; everything else is refused by the broker. */
interface BrokerPermissions {
  publish: string[];
  subscribe: string[];
}

/** Replies come below a prefix of the service's own: what is below another's may not be subscribed to. */
export function inboxPrefixOf(name: string): string {
  return `_INBOX_${name}`;
}

/** The least that a service needs: its own events, its own durable consumers, and the replies to its own requests. */
function permissionsOf(service: EventService): BrokerPermissions {
  const consumers = Object.values<EventConsumer>(EVENT_CONSUMERS).filter((consumer) => consumer.service === service);
  const kinds = Object.entries(EVENT_PUBLISHERS).filter(([, publishers]) => publishers.includes(service));
  return {
    publish: [
      ...kinds.map(([kind]) => publishableSubject(kind as EventKind)),
      ...consumers.flatMap(consumerSubjects),
      ...journalSubjects(service),
      ...(service === EVENT_ERASER ? ERASER_SUBJECTS : []),
    ],
    subscribe: [`${inboxPrefixOf(service)}.>`],
  };
}

/** What each of the services may do. */
export function brokerPermissions(): Record<EventService, BrokerPermissions> {
  const entries = EVENT_SERVICES.map((service) => [service, permissionsOf(service)]);
  return Object.fromEntries(entries) as Record<EventService, BrokerPermissions>;
}

/** Adding to the journal below the service's own subject, and reading all of it; nobody may delete from it. */
function journalSubjects(service: EventService): string[] {
  const writer = JOURNAL_SERVICES.find((name) => name === service);
  if (writer === undefined) return [];
  return [
    `${journalSubjectOf(writer)}.*`,
    `$JS.API.STREAM.INFO.${JOURNAL_STREAM}`,
    `$JS.API.STREAM.MSG.GET.${JOURNAL_STREAM}`,
  ];
}

/** Reading and overwriting single messages, for deletions that must leave nothing behind. */
const ERASER_SUBJECTS = [EVENT_STREAM, DEAD_LETTER_STREAM].flatMap((stream) => [
  `$JS.API.STREAM.MSG.GET.${stream}`,
  `$JS.API.STREAM.MSG.DELETE.${stream}`,
]);

/**
 * A service may look after its own durable consumer and no other. The subject that it filters by is part of the
 * request's subject, and the broker refuses a request that says something else (since nats-server 2.9), so that it
 * cannot be used to read other events.
 */
function consumerSubjects({ durable, subject }: EventConsumer): string[] {
  return [
    `$JS.API.CONSUMER.CREATE.${EVENT_STREAM}.${durable}.${subject}`,
    `$JS.API.CONSUMER.INFO.${EVENT_STREAM}.${durable}`,
    `$JS.API.CONSUMER.DELETE.${EVENT_STREAM}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${EVENT_STREAM}.${durable}`,
    `$JS.ACK.${EVENT_STREAM}.${durable}.>`,
    deadLettersOf(durable),
  ];
}
