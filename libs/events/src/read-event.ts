import { decodeEvent, type Event, subjectOfEvent } from '@cairn/contracts';
import type { JsMsg } from 'nats';

/**
 * Reads an event, and refuses one that does not belong to its subject. The broker lets each service publish under its
 * own subjects only; that is worth something only as long as what is inside is what the subject says.
 */
export function readEvent(message: Pick<JsMsg, 'subject' | 'data'>): Event {
  const event = decodeEvent(message.data);
  const expected = subjectOfEvent(event);
  if (expected !== null && expected !== message.subject) {
    throw new Error(`the event is one for ${expected}, but was published under ${message.subject}`);
  }
  return event;
}
