import { setTimeout as sleep } from 'node:timers/promises';
import { AckPolicy, DeliverPolicy, nanos, NatsError } from 'nats';
import type { Logger } from 'pino';
import type { EventBus } from './connection.ts';
import { EVENT_STREAM } from './streams.ts';

export interface Durable {
  bus: EventBus;
  /** Durable name; replicas share it and each event reaches one of them. */
  durable: string;
  /** One subject, wildcards allowed. */
  subject: string;
  logger: Logger;
}

/**
 * A pull request is bound to the leader of its consumer: when that dies, nothing comes until the request has run out or
 * heartbeats are missed. With these two, delivery goes on after 8 to 9 s instead of 45 (an election takes most of it).
 */
export const PULL_EXPIRES_MS = 2_500;
export const IDLE_HEARTBEAT_MS = 500;

/** Makes sure that the durable is there; it begins with the stream's first event. */
export async function ensureDurable(
  options: Durable,
  bounds: { ackWaitMs: number; pendingMax: number },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await forgetOtherFilter(options);
      await options.bus.manager.consumers.add(EVENT_STREAM, {
        durable_name: options.durable,
        filter_subject: options.subject,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ack_wait: nanos(bounds.ackWaitMs),
        max_ack_pending: bounds.pendingMax,
      });
      return;
    } catch (error) {
      // The server fails to write a durable that another replica deletes at the same moment.
      if (attempt === ATTEMPTS_MAX || !isFailureOfServer(error)) throw error;
      await sleep(attempt * RETRY_PAUSE_MS);
    }
  }
}

const ATTEMPTS_MAX = 5;
const RETRY_PAUSE_MS = 50;
const CONSUMER_NOT_FOUND = 10_014;

function isFailureOfServer(error: unknown): boolean {
  return error instanceof NatsError && (error.api_error?.code ?? 0) >= 500;
}

/**
 * Deletes the durable when an earlier version made it for another subject. Changing the subject in place would lose
 * what was published before the change, and nats-server 2.9 then delivers nothing at all. Its replacement reads
 * from the stream's beginning; the inbox knows what was handled.
 */
async function forgetOtherFilter({ bus, durable, subject, logger }: Durable): Promise<void> {
  const known = await bus.manager.consumers.info(EVENT_STREAM, durable).catch(nullWhenMissing);
  if (known === null || known.config.filter_subject === subject) return;
  logger.info(
    { durable, from: known.config.filter_subject, to: subject },
    'event consumer: the subject changed; the durable is deleted and created again',
  );
  // Another replica may do the same.
  await bus.manager.consumers.delete(EVENT_STREAM, durable).catch(nullWhenMissing);
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof NatsError && error.api_error?.err_code === CONSUMER_NOT_FOUND) return null;
  throw error;
}
