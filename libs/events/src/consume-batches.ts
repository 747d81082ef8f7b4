import { decodeEvent, type Event } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { ConsumerMessages, JsMsg } from 'nats';
import { EVENT_STREAM } from './connection.ts';
import { deadLetter, type DeadLetterParts, tryAgainLater } from './dead-letter.ts';
import { type Durable, ensureDurable } from './durable.ts';

export interface ConsumeBatchesOptions<Item> extends Durable, DeadLetterParts {
  /** Reads one event. What throws here becomes a dead letter at once: no repeat would change it. */
  read: (event: Event) => Item;
  /** Makes the whole batch durable or throws and leaves nothing of it. Repeats reach it, so it must recognise them. */
  handle: (items: readonly Item[]) => Promise<void>;
  batchMax?: number;
}

interface Read<Item> {
  message: JsMsg;
  item: Item;
}

const ACK_WAIT_MS = 60_000;
const BATCH_MAX = 500;
/** What is on its way besides the batch in hand. */
const BATCHES_AHEAD = 4;
const RESTART_DELAY_MS = 500;

/**
 * Handles events many at a time, for subjects with thousands a second: whatever has come while a batch was being
 * handled is the next one. An event is acknowledged after its batch is durable. When a batch fails, its events are
 * handled one by one, so that the one to blame holds up no other.
 */
export async function consumeEventBatches<Item>(
  options: ConsumeBatchesOptions<Item>,
): Promise<{ close(): Promise<void> }> {
  const batchMax = options.batchMax ?? BATCH_MAX;
  const pendingMax = batchMax * BATCHES_AHEAD;
  await ensureDurable(options, { ackWaitMs: ACK_WAIT_MS, pendingMax });
  let closed = false;
  let messages: ConsumerMessages | null = null;
  let waiting: JsMsg[] = [];
  let wake: () => void = () => undefined;

  const reading = (async () => {
    while (!closed) {
      try {
        const consumer = await options.bus.jetStream.consumers.get(EVENT_STREAM, options.durable);
        messages = await consumer.consume({ max_messages: pendingMax });
        // `close` may have been called while this was being made, and then had nothing to close.
        if (closed) void messages.close();
        for await (const message of messages) {
          waiting.push(message);
          wake();
        }
      } catch (error) {
        if (closed) return;
        options.logger.warn({ err: error, durable: options.durable }, 'consumer restarts');
      }
      if (!closed) await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS));
    }
  })();
  const handling = (async () => {
    while (!closed) {
      if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const batch = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      if (batch.length > 0) await handleBatch(options, batch);
    }
  })();
  return {
    async close() {
      closed = true;
      wake();
      await messages?.close();
      await Promise.all([reading, handling]);
      // Another replica need not wait until they are missed.
      for (const message of waiting) message.nak();
    },
  };
}

async function handleBatch<Item>(options: ConsumeBatchesOptions<Item>, batch: readonly JsMsg[]): Promise<void> {
  const read: Read<Item>[] = [];
  for (const message of batch) {
    try {
      read.push({ message, item: options.read(decodeEvent(message.data)) });
    } catch (error) {
      options.logger.error(
        { err: error, durable: options.durable, subject: message.subject },
        'event cannot be read; it becomes a dead letter',
      );
      await deadLetter(options, message, error);
    }
  }
  if (read.length > 0) await handleRead(options, read);
}

async function handleRead<Item>(options: ConsumeBatchesOptions<Item>, read: readonly Read<Item>[]): Promise<void> {
  try {
    await options.handle(read.map(({ item }) => item));
    for (const { message } of read) message.ack();
  } catch (error) {
    const blameless = error instanceof CairnError && error.code === 'unavailable';
    if (read.length === 1 || blameless) for (const { message } of read) await tryAgainLater(options, message, error);
    else for (const one of read) await handleRead(options, [one]);
  }
}
