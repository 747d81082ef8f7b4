import { sampledGauge, startSampling } from '@cairn/telemetry';
import type { EventBus } from './connection.ts';

const connected = sampledGauge('cairn_broker_connected', '1 when NATS has answered a moment ago, else 0.', {
  combine: 'min',
});

/** Asks the broker for a sign of life when the metrics are asked for; null as long as there is no connection. */
export function sampleBroker(busOf: () => Pick<EventBus, 'ping'> | null): { close(): Promise<void> } {
  return startSampling({
    name: 'broker',
    async read() {
      const bus = busOf();
      const answered = bus !== null && (await bus.ping().then(isTrue, isFalse));
      return [{ gauge: connected, value: answered ? 1 : 0 }];
    },
  });
}

const isTrue = () => true;
const isFalse = () => false;
