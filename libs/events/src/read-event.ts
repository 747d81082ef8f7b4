import { decodeEvent, type Event, originOfEvent, originOfSubject } from '@cairn/contracts';
import type { JsMsg } from 'nats';

/**
 * Reads an event, and refuses one that was published under the subject of another service. The broker lets each
 * service publish under its own subjects only; that is worth something only as long as nothing else is inside.
 */
export function readEvent(message: Pick<JsMsg, 'subject' | 'data'>): Event {
  const event = decodeEvent(message.data);
  const origin = originOfEvent(event);
  if (origin !== null && origin !== originOfSubject(message.subject)) {
    throw new Error(`an event of ${origin} was published under ${message.subject}`);
  }
  return event;
}
