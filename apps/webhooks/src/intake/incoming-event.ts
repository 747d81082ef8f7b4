import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Event } from '@cairn/contracts';
import { type Envelope, envelopeOf } from './envelope.ts';

/** An event from the broker that can be delivered. */
export interface IncomingEvent extends Envelope {
  eventId: string;
  tenantId: string;
  livemode: boolean;
  memoryId: string;
  occurredAt: Date;
  /** The trace that the event came with. */
  traceparent: string | null;
}

/** Parses an event from the broker; null for one that is never delivered. */
export function parseEvent(event: Event, traceparent: string | null = null): IncomingEvent | null {
  const envelope = envelopeOf(event);
  if (envelope === null) return null;
  return {
    ...envelope,
    eventId: event.eventId,
    tenantId: event.tenantId,
    livemode: event.livemode,
    memoryId: event.memoryId,
    occurredAt: timestampDate(event.occurredAt!),
    traceparent,
  };
}
