import { startLoop } from '@cairn/background';
import type { Event } from '@cairn/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerMessages, JsMsg } from 'nats';
import { deadLetter, type DeadLetterDeps, isTransientFailure, retryLater } from './dead-letter.ts';
import { type Durable, ensureDurable, IDLE_HEARTBEAT_MS, PULL_EXPIRES_MS } from './durable.ts';
import { createFailureCount } from './failure-count.ts';
import { countEvents, observeHandling, sampleConsumer, traceOf } from './observe-consumer.ts';
import { readEvent } from './read-event.ts';
import { EVENT_STREAM } from './streams.ts';

interface ConsumeBatchesOptions<Item> extends Durable, Omit<DeadLetterDeps, 'failures'> {
  /** Reads one event. What throws here becomes a dead letter at once: no repeat would change it. */
  read: (event: Event, traceparent: string | null) => Item;
  /** Makes the whole batch durable or throws and leaves nothing of it. Repeats reach it, so it must recognise them. */
  handle: (items: readonly Item[]) => Promise<void>;
  batchMax?: number;
}

type BatchDeps<Item> = ConsumeBatchesOptions<Item> & DeadLetterDeps;

interface Read<Item> {
  message: JsMsg;
  item: Item;
}

const ACK_WAIT_MS = 15_000;
const BATCH_MAX = 500;
/** The batch in hand, the one that waits, and the one that is being fetched. */
const BATCHES_MAX = 3;
/** How long a batch that is not full waits for more. */
const LINGER_MS = 10;
/** How often the broker hears that what was taken from it is still wanted; well within the wait for acknowledgements. */
const STILL_WORKING_EVERY_MS = 5_000;
const RESTART_DELAY_MS = 500;

/**
 * Handles events many at a time, for subjects with thousands a second: while one batch is being handled the next one
 * is fetched. An event is acknowledged after its batch is durable. When a batch fails, its events are handled one by
 * one, so that the one to blame holds up no other.
 */
export async function consumeEventBatches<Item>(
  options: ConsumeBatchesOptions<Item>,
): Promise<{ close(): Promise<void> }> {
  const batchMax = options.batchMax ?? BATCH_MAX;
  const bounds = { ackWaitMs: ACK_WAIT_MS, pendingMax: batchMax * BATCHES_MAX };
  const deps = { ...options, failures: createFailureCount() };
  await ensureDurable(options, bounds);
  const sampling = sampleConsumer(options);
  const queue = createQueue<Item>(batchMax);
  let inHand: readonly Read<Item>[] = [];
  let closed = false;
  // A slow database must not make the broker send again what waits here: that would only be more to do.
  const keeping = setInterval(() => {
    if (options.bus.connection.isClosed()) return;
    for (const { message } of [...inHand, ...queue.rest()]) message.working();
  }, STILL_WORKING_EVERY_MS);
  let messages: ConsumerMessages | null = null;

  const reading = startLoop({
    async work(signal) {
      // A broker that lost its streams has lost the durable, too.
      await ensureDurable(options, bounds);
      const consumer = await options.bus.jetStream.consumers.get(EVENT_STREAM, options.durable);
      while (!signal.aborted) {
        await queue.hasRoom();
        if (signal.aborted) break;
        // Whole batches: a standing request that is topped up message by message costs the broker far more.
        messages = await consumer.fetch({
          max_messages: batchMax,
          expires: PULL_EXPIRES_MS,
          idle_heartbeat: IDLE_HEARTBEAT_MS,
        });
        if (signal.aborted) void messages.close();
        for await (const message of messages) {
          // Read on arrival, while the handler waits for its database.
          const item = await readMessage(deps, message);
          if (item !== null) queue.add(item);
        }
      }
      return false;
    },
    pollMs: RESTART_DELAY_MS,
    onError: (error) =>
      options.logger.warn({ err: error, durable: options.durable }, 'event consumer: fetching failed; retrying'),
  });
  const handling = (async () => {
    while (!closed) {
      const batch = await queue.next();
      inHand = batch;
      if (closed) for (const { message } of batch) message.nak();
      else if (batch.length > 0) await handleRead(deps, batch);
      inHand = [];
    }
  })();
  return {
    async close() {
      closed = true;
      await sampling.close();
      const readingEnded = reading.close();
      queue.wakeAll();
      await messages?.close();
      await Promise.all([readingEnded, handling]);
      clearInterval(keeping);
      // Another replica need not wait until they are missed.
      for (const { message } of queue.rest()) message.nak();
    },
  };
}

/** What was read and is not handled yet; there is room as long as less than a batch waits. */
function createQueue<Item>(batchMax: number) {
  let waiting: Read<Item>[] = [];
  let wakeHandler: () => void = () => undefined;
  let wakeReader: () => void = () => undefined;
  return {
    add(item: Read<Item>) {
      waiting.push(item);
      wakeHandler();
    },
    async hasRoom() {
      if (waiting.length >= batchMax) await new Promise<void>((resolve) => (wakeReader = resolve));
    },
    async next(): Promise<Read<Item>[]> {
      if (waiting.length === 0) await new Promise<void>((resolve) => (wakeHandler = resolve));
      if (waiting.length < batchMax) await sleep(LINGER_MS);
      const batch = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      wakeReader();
      return batch;
    },
    wakeAll() {
      wakeHandler();
      wakeReader();
    },
    rest: () => waiting,
  };
}

/** Null for what became a dead letter. */
async function readMessage<Item>(options: BatchDeps<Item>, message: JsMsg): Promise<Read<Item> | null> {
  try {
    return { message, item: options.read(readEvent(message), traceOf(message)) };
  } catch (error) {
    options.logger.error(
      { err: error, durable: options.durable, subject: message.subject },
      'event consumer: an event cannot be decoded; it becomes a dead letter',
    );
    await deadLetter(options, message, error);
    return null;
  }
}

async function handleRead<Item>(options: BatchDeps<Item>, read: readonly Read<Item>[]): Promise<void> {
  try {
    const traceparents = read.map(({ message }) => traceOf(message));
    await observeHandling(options.durable, traceparents, () => options.handle(read.map(({ item }) => item)));
    for (const { message } of read) {
      message.ack();
      options.failures.forget(message);
    }
    countEvents(options.durable, 'handled', read.length);
  } catch (error) {
    if (read.length === 1 || isTransientFailure(error))
      for (const { message } of read) await retryLater(options, message, error);
    else for (const one of read) await handleRead(options, [one]);
  }
}
