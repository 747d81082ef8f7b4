import { startLoop } from '@cairn/background';
import type { Event } from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';
import type { ConsumerMessages, JsMsg } from 'nats';
import type { Logger } from 'pino';
import type { EventBus } from './connection.ts';
import { type DeadLetterDeps, retryLater } from './dead-letter.ts';
import { ensureDurable, IDLE_HEARTBEAT_MS, PULL_EXPIRES_MS } from './durable.ts';
import { createFailureCount } from './failure-count.ts';
import { countEvents, observeHandling, sampleConsumer, traceOf } from './observe-consumer.ts';
import { readEvent } from './read-event.ts';
import { EVENT_STREAM } from './streams.ts';

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

const ACK_WAIT_MS = 30_000;
const PENDING_MAX = 64;
const RESTART_DELAY_MS = 500;

/**
 * Handles each event once: the inbox row and the handler's work commit together, so that a repeat after a
 * crash finds the row and does nothing. An event that keeps failing goes to the dead-letter subject with
 * its cause, and is acknowledged only when it is stored there.
 */
export async function consumeEvents(options: ConsumeOptions): Promise<{ close(): Promise<void> }> {
  const bounds = { ackWaitMs: ACK_WAIT_MS, pendingMax: PENDING_MAX };
  const deps = { ...options, failures: createFailureCount() };
  await ensureDurable(options, bounds);
  const sampling = sampleConsumer(options);
  let messages: ConsumerMessages | null = null;
  const loop = startLoop({
    async work(signal) {
      // A broker that lost its streams has lost the durable, too.
      await ensureDurable(options, bounds);
      const consumer = await options.bus.jetStream.consumers.get(EVENT_STREAM, options.durable);
      messages = await consumer.consume({
        max_messages: PENDING_MAX,
        expires: PULL_EXPIRES_MS,
        idle_heartbeat: IDLE_HEARTBEAT_MS,
        abort_on_missing_resource: true,
      });
      // `close` may have been called while this was being made, and then had nothing to close.
      // It is not awaited: a closed iterator ends when it is read to its end, below.
      if (signal.aborted) void messages.close();
      for await (const message of messages) await handleMessage(deps, message);
      return false;
    },
    pollMs: RESTART_DELAY_MS,
    onError: (error) =>
      options.logger.warn({ err: error, durable: options.durable }, 'event consumer: fetching failed; retrying'),
  });
  return {
    async close() {
      await sampling.close();
      const ended = loop.close();
      await messages?.close();
      await ended;
    },
  };
}

async function handleMessage(options: ConsumeOptions & DeadLetterDeps, message: JsMsg): Promise<void> {
  try {
    const event = readEvent(message);
    const handled = await observeHandling(options.durable, [traceOf(message)], () =>
      options.database.transaction(async (tx) => {
        const fresh = await tx.execute(
          'INSERT INTO inbox (consumer, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
          [options.durable, event.eventId],
        );
        if (fresh > 0) await options.handle(tx, event);
        return fresh > 0;
      }),
    );
    message.ack();
    options.failures.forget(message);
    countEvents(options.durable, handled ? 'handled' : 'repeated');
  } catch (error) {
    await retryLater(options, message, error);
  }
}
