import { inSpan, contextOf, TRACEPARENT, traceparentOf } from '@cairn/telemetry';
import { CairnError } from '@cairn/errors';
import { ErrorCode, headers, NatsError } from 'nats';
import type { EventBus } from './connection.ts';

/** The outbox relay holds a transaction for as long. What is acknowledged later is published again and dropped by the broker. */
const PUBLISH_TIMEOUT_MS = 2_000;

/**
 * Publishes bytes under the event id; resolves once the stream has stored them, and rejects with `unavailable` while no
 * broker does. A repeat is dropped by the broker.
 */
export async function publishEvent(
  bus: EventBus,
  message: { subject: string; eventId: string; payload: Uint8Array; traceparent?: string | null },
): Promise<void> {
  const { traceparent = null } = message;
  if (traceparent === null) return publish(bus, message, null);
  const attributes = { 'messaging.system': 'nats', 'messaging.message.id': message.eventId };
  // The trace goes on with whoever consumes the event. Without tracing here it is passed on as it is.
  await inSpan('publish event', { kind: 'producer', parent: contextOf(traceparent), attributes }, () =>
    publish(bus, message, traceparentOf() ?? traceparent),
  );
}

async function publish(
  bus: EventBus,
  message: { subject: string; eventId: string; payload: Uint8Array },
  traceparent: string | null,
): Promise<void> {
  const traced = traceparent === null ? undefined : headers();
  traced?.set(TRACEPARENT, traceparent!);
  const stored = bus.jetStream.publish(message.subject, message.payload, {
    msgID: message.eventId,
    timeout: PUBLISH_TIMEOUT_MS,
    ...(traced === undefined ? {} : { headers: traced }),
  });
  await stored.catch((error: unknown) => {
    throw error instanceof NatsError && OUTAGES.has(error.code) ? unavailable(error) : error;
  });
}

/** Nobody answers: no connection, no leader of the stream, or one that is silent. */
const OUTAGES: ReadonlySet<string> = new Set([
  ErrorCode.NoResponders,
  ErrorCode.Timeout,
  ErrorCode.Disconnect,
  ErrorCode.ConnectionClosed,
  ErrorCode.ConnectionDraining,
]);

function unavailable(cause: NatsError): CairnError {
  return new CairnError('unavailable', 'The broker cannot be reached right now.', { cause, internal: cause.message });
}
