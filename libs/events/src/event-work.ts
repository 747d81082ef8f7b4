import type { Logger } from 'pino';
import type { BrokerSettings } from './broker-credentials.ts';
import { connectEventBus, type EventBus } from './connection.ts';
import { sampleBroker } from './observe-broker.ts';

interface EventWorkOptions {
  /** A service's configuration holds what is needed. */
  broker: BrokerSettings;
  name: string;
  logger: Logger;
  /** Starts the relay and the consumers once the broker is there. */
  start: (bus: EventBus) => Promise<readonly { close(): Promise<void> }[]>;
}

const RETRY_MS = 1_000;

/**
 * Runs a service's event-driven work beside its requests: a broker that is down delays events, which wait
 * in the outbox, and nothing else.
 */
export function runEventWork(options: EventWorkOptions): { close(): Promise<void> } {
  let closed = false;
  let wake: (() => void) | null = null;
  let connected: EventBus | null = null;
  const sampling = sampleBroker(() => connected);
  const connecting = (async () => {
    while (!closed) {
      try {
        const bus = await connectEventBus({ ...options.broker, name: options.name });
        if (closed) {
          await bus.close();
          return null;
        }
        const started = await options.start(bus).catch(async (error: unknown) => {
          await bus.close();
          throw error;
        });
        connected = bus;
        return { bus, started };
      } catch (error) {
        options.logger.warn({ err: error }, 'event broker: connecting failed; retrying');
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, RETRY_MS);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    }
    return null;
  })();
  return {
    async close() {
      closed = true;
      wake?.();
      await sampling.close();
      const running = await connecting;
      if (running === null) return;
      await Promise.all(running.started.map((each) => each.close()));
      await running.bus.close();
    },
  };
}
