import { DEAD_LETTER_SUBJECT_ROOT } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { headers, type JsMsg } from 'nats';
import type { Logger } from 'pino';
import type { EventBus } from './connection.ts';
import type { FailureCount } from './failure-count.ts';
import { countEvents } from './observe-consumer.ts';

export interface DeadLetterDeps {
  bus: EventBus;
  durable: string;
  logger: Logger;
  failures: FailureCount;
  /** Pauses before an event that failed is delivered again, first to last; the last one repeats. Default: 0.25 s … 15 s. */
  backoffMs?: readonly number[];
}

const BACKOFF_MS = [250, 1_000, 4_000, 15_000];
const SCOPE_TOKENS = 3;

/** An event is not to blame for a database that is down: it is retried for as long as that takes. */
export function isTransientFailure(error: unknown): boolean {
  return error instanceof CairnError && error.code === 'unavailable';
}

/** Has a failed event redelivered after a backoff, or stores it as a dead letter once it has failed often enough. */
export async function retryLater(options: DeadLetterDeps, message: JsMsg, error: unknown): Promise<void> {
  const deliveries = message.info.deliveryCount;
  const isRetried = !options.failures.add(message, isTransientFailure(error));
  options.logger.warn(
    { err: error, durable: options.durable, subject: message.subject, deliveries },
    `event consumer: handling an event failed; ${isRetried ? 'retrying' : 'it becomes a dead letter'}`,
  );
  if (isRetried) {
    countEvents(options.durable, 'retried');
    const backoff = options.backoffMs ?? BACKOFF_MS;
    message.nak(backoff[Math.min(deliveries, backoff.length) - 1]);
    return;
  }
  await deadLetter(options, message, error);
}

/** Stores the event under the dead-letter subject with its cause; it is acknowledged only once it is stored. */
export async function deadLetter(options: DeadLetterDeps, message: JsMsg, error: unknown): Promise<void> {
  const cause = headers();
  cause.set('cairn-consumer', options.durable);
  cause.set('cairn-subject', message.subject);
  cause.set(
    'cairn-cause',
    (error instanceof Error ? error.message : String(error)).replace(/[\r\n]+/g, ' ').slice(0, 500),
  );
  try {
    await options.bus.jetStream.publish(deadLetterSubject(options.durable, message.subject), message.data, {
      headers: cause,
      msgID: `${options.durable}:${message.seq}`,
    });
    message.term();
    options.failures.forget(message);
    countEvents(options.durable, 'dead_letter');
  } catch (publishError) {
    options.logger.error(
      { err: publishError, durable: options.durable },
      'event consumer: storing a dead letter failed; the event is redelivered',
    );
    message.nak(BACKOFF_MS.at(-1));
  }
}

/** Keeps tenant, workspace and memory in the subject, so that a dead letter is erased with what it is about. */
function deadLetterSubject(durable: string, subject: string): string {
  return [DEAD_LETTER_SUBJECT_ROOT, durable, ...subject.split('.').slice(-SCOPE_TOKENS)].join('.');
}
