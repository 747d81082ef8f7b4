import type { EncodedEvent } from '@cairn/contracts';
import { connectEventBus, type EventBus, EVENT_STREAM, publishEvent } from '@cairn/events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MadeCall, shuffled } from './random-calls.ts';
import type { ServiceProcess } from './service-process.ts';

interface DeliveryOptions {
  natsUrl: string;
  calls: readonly MadeCall[];
  random: () => number;
  publishers: number;
  /** How often the service is ended with SIGKILL on the way, at even shares of what was published. */
  kills: number;
  service: ServiceProcess;
}

interface DeliveryResult {
  /** Messages published, repeats included. */
  messages: number;
  kills: number;
  seconds: number;
}

const REPEATS_MAX = 3;
const DURABLE = 'usage-calls';
const PUBLISHED_AT_ONCE = 200;
const PUBLISH_RETRY_MS = 200;
const ASK_EVERY_MS = 1_000;
const QUIET_TIMEOUT_MS = 15 * 60_000;

/**
 * Publishes each call once to three times, all mixed, over several connections, while the service is killed again and
 * again; resolves when the service has acknowledged everything. Each repeat has a message id of its own, so that the
 * broker does not recognise it.
 */
export async function deliver(options: DeliveryOptions): Promise<DeliveryResult> {
  const started = performance.now();
  const messages = shuffled(
    options.random,
    options.calls.flatMap(({ event }) => {
      const times = 1 + Math.floor(options.random() * REPEATS_MAX);
      return Array.from({ length: times }, (_, n) => ({ ...event, eventId: `${event.eventId}/${n}` }));
    }),
  );
  let published = 0;
  let kills = 0;
  const killing = (async () => {
    while (kills < options.kills) {
      if (published >= ((kills + 1) * messages.length) / (options.kills + 1)) {
        kills += 1;
        await options.service.killAndRestart();
      } else await sleep(5);
    }
  })();
  const shares = Array.from({ length: options.publishers }, (_, n) =>
    messages.filter((_message, index) => index % options.publishers === n),
  );
  await Promise.all(
    shares.map(async (share, n) => {
      const bus = await connectEventBus({ natsUrl: options.natsUrl, name: `publisher-${n}` });
      for (let from = 0; from < share.length; from += PUBLISHED_AT_ONCE) {
        const some = share.slice(from, from + PUBLISHED_AT_ONCE);
        await Promise.all(some.map((message) => publishSurely(bus, message)));
        published += some.length;
      }
      await bus.close();
    }),
  );
  await killing;
  await untilAcknowledged(options.natsUrl);
  return { messages: messages.length, kills, seconds: (performance.now() - started) / 1_000 };
}

/** As a relay does: what the broker did not acknowledge is sent again under its message id. */
export async function publishSurely(bus: EventBus, message: EncodedEvent): Promise<void> {
  for (;;) {
    try {
      await publishEvent(bus, message);
      return;
    } catch {
      await sleep(PUBLISH_RETRY_MS);
    }
  }
}

/** Waits until the service's durable has nothing left, neither waiting nor in hand. */
export async function untilAcknowledged(natsUrl: string): Promise<void> {
  const bus = await connectEventBus({ natsUrl: natsUrl, name: 'watcher' });
  const deadline = Date.now() + QUIET_TIMEOUT_MS;
  try {
    for (;;) {
      const info = await bus.manager.consumers.info(EVENT_STREAM, DURABLE).catch(() => null);
      if (info !== null && info.num_pending === 0 && info.num_ack_pending === 0) return;
      if (Date.now() > deadline) throw new Error('the service did not take in everything in time');
      // Telling what is left makes the broker look through the stream: asking often would measure that.
      await sleep(ASK_EVERY_MS);
    }
  } finally {
    await bus.close();
  }
}
