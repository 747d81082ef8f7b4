import { DEAD_LETTER_SUBJECT_ROOT, decodeEvent, type Event } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import { AckPolicy, type ConsumerMessages, DeliverPolicy, headers, type JsMsg, nanos, NatsError } from 'nats';
import type { Logger } from 'pino';
import { EVENT_STREAM, type EventBus } from './connection.ts';

export interface ConsumeOptions {
  bus: EventBus;
  /** Durable name; replicas share it and each event reaches one of them. */
  durable: string;
  /** One subject, wildcards allowed. */
  subject: string;
  /** Connected as the worker role; holds the inbox. */
  database: Database;
  logger: Logger;
  /** Runs in the transaction that marks the event as handled. */
  handle: (tx: Tx, event: Event) => Promise<void>;
  /** Pauses before an event that failed is delivered again, first to last; the last one repeats. Default: 0.25 s … 15 s. */
  backoffMs?: readonly number[];
}

const DELIVERIES_MAX = 8;
const ACK_WAIT_MS = 30_000;
const BACKOFF_MS = [250, 1_000, 4_000, 15_000];
const PENDING_MAX = 64;
const RESTART_DELAY_MS = 500;
const SCOPE_TOKENS = 3;

/**
 * Handles each event once: the inbox row and the handler's work commit together, so that a repeat after a
 * crash finds the row and does nothing. An event that keeps failing goes to the dead-letter subject with
 * its cause, and is acknowledged only when it is stored there.
 */
export async function consumeEvents(options: ConsumeOptions): Promise<{ close(): Promise<void> }> {
  await forgetOtherFilter(options);
  await options.bus.manager.consumers.add(EVENT_STREAM, {
    durable_name: options.durable,
    filter_subject: options.subject,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: PENDING_MAX,
  });
  let closed = false;
  let messages: ConsumerMessages | null = null;
  const loop = (async () => {
    while (!closed) {
      try {
        const consumer = await options.bus.jetStream.consumers.get(EVENT_STREAM, options.durable);
        messages = await consumer.consume({ max_messages: PENDING_MAX });
        // `close` may have been called while this was being made, and then had nothing to close.
        // It is not awaited: a closed iterator ends when it is read to its end, below.
        if (closed) void messages.close();
        for await (const message of messages) await handleMessage(options, message);
      } catch (error) {
        if (closed) return;
        options.logger.warn({ err: error, durable: options.durable }, 'consumer restarts');
      }
      if (!closed) await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS));
    }
  })();
  return {
    async close() {
      closed = true;
      await messages?.close();
      await loop;
    },
  };
}

const CONSUMER_NOT_FOUND = 10_014;

/**
 * Deletes the durable when an earlier version made it for another subject. Changing the subject in place would lose
 * what was published before the change, and nats-server 2.9 then delivers nothing at all. The one made anew reads
 * from the stream's beginning; the inbox knows what was handled.
 */
async function forgetOtherFilter({ bus, durable, subject, logger }: ConsumeOptions): Promise<void> {
  const known = await bus.manager.consumers.info(EVENT_STREAM, durable).catch(nullWhenMissing);
  if (known === null || known.config.filter_subject === subject) return;
  logger.info({ durable, from: known.config.filter_subject, to: subject }, 'consumer changes its subject');
  // Another replica may do the same.
  await bus.manager.consumers.delete(EVENT_STREAM, durable).catch(nullWhenMissing);
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof NatsError && error.api_error?.err_code === CONSUMER_NOT_FOUND) return null;
  throw error;
}

async function handleMessage(options: ConsumeOptions, message: JsMsg): Promise<void> {
  try {
    const event = decodeEvent(message.data);
    await options.database.transaction(async (tx) => {
      const fresh = await tx.execute('INSERT INTO inbox (consumer, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        options.durable,
        event.eventId,
      ]);
      if (fresh > 0) await options.handle(tx, event);
    });
    message.ack();
  } catch (error) {
    const deliveries = message.info.deliveryCount;
    options.logger.warn(
      { err: error, durable: options.durable, subject: message.subject, deliveries },
      'event could not be handled',
    );
    // An event is not to blame for a database that is away: it waits for as long as that takes.
    const blameless = error instanceof CairnError && error.code === 'unavailable';
    if (deliveries < DELIVERIES_MAX || blameless) {
      const backoff = options.backoffMs ?? BACKOFF_MS;
      message.nak(backoff[Math.min(deliveries, backoff.length) - 1]);
      return;
    }
    await deadLetter(options, message, error);
  }
}

async function deadLetter(options: ConsumeOptions, message: JsMsg, error: unknown): Promise<void> {
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
  } catch (publishError) {
    options.logger.error({ err: publishError, durable: options.durable }, 'dead letter could not be stored');
    message.nak(BACKOFF_MS.at(-1));
  }
}

/** Keeps tenant, workspace and memory in the subject, so that a dead letter is erased with what it is about. */
function deadLetterSubject(durable: string, subject: string): string {
  return [DEAD_LETTER_SUBJECT_ROOT, durable, ...subject.split('.').slice(-SCOPE_TOKENS)].join('.');
}
