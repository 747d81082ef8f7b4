import type { EventBus } from './connection.ts';

/** The outbox relay holds a transaction for as long. What is acknowledged later is published again and dropped by the broker. */
const PUBLISH_TIMEOUT_MS = 2_000;

/** Publishes bytes under the event id; resolves once the stream has stored them. A repeat is dropped by the broker. */
export async function publishEvent(
  bus: EventBus,
  message: { subject: string; eventId: string; payload: Uint8Array },
): Promise<void> {
  await bus.jetStream.publish(message.subject, message.payload, {
    msgID: message.eventId,
    timeout: PUBLISH_TIMEOUT_MS,
  });
}
