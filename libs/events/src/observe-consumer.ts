import {
  counter,
  durationHistogram,
  inSpan,
  parentOfBatch,
  sampledGauge,
  startSampling,
  TRACEPARENT,
} from '@cairn/telemetry';
import type { JsMsg } from 'nats';
import type { Durable } from './durable.ts';
import { EVENT_STREAM } from './streams.ts';

const pending = sampledGauge('cairn_consumer_pending', 'Events that a durable consumer has not been given yet.', {
  labels: ['durable'],
  combine: 'max',
});
const unacknowledged = sampledGauge(
  'cairn_consumer_unacknowledged',
  'Events that a durable consumer was given and has not acknowledged yet.',
  { labels: ['durable'], combine: 'max' },
);
const events = counter('cairn_events_total', 'Events that were handled, by what became of them.', [
  'durable',
  'outcome',
]);
const durations = durationHistogram('cairn_events_handling_duration_seconds', 'Handling one event, or one batch.', [
  'durable',
]);

const OUTCOMES = ['handled', 'repeated', 'retried', 'dead_letter'] as const;

/** Reads how far behind the durable is, when the metrics are asked for. */
export function sampleConsumer({ bus, durable }: Durable): { close(): Promise<void> } {
  // A counter that begins with its first event would look as if nothing had happened.
  for (const outcome of OUTCOMES) events.inc({ durable, outcome }, 0);
  return startSampling({
    name: 'consumer',
    async read() {
      const info = await bus.manager.consumers.info(EVENT_STREAM, durable);
      return [
        { gauge: pending, labels: { durable }, value: info.num_pending },
        { gauge: unacknowledged, labels: { durable }, value: info.num_ack_pending },
      ];
    },
  });
}

export function countEvents(durable: string, outcome: (typeof OUTCOMES)[number], count = 1): void {
  events.inc({ durable, outcome }, count);
}

/** The trace that an event came with. */
export function traceOf(message: Pick<JsMsg, 'headers'>): string | null {
  const value = message.headers?.get(TRACEPARENT) ?? '';
  return value === '' ? null : value;
}

/** Times and traces the handling of the events of a batch. */
export async function observeHandling<T>(
  durable: string,
  traceparents: readonly (string | null)[],
  work: () => Promise<T>,
): Promise<T> {
  const startedMs = performance.now();
  try {
    const attributes = {
      'messaging.system': 'nats',
      'messaging.consumer.group.name': durable,
      'messaging.batch.message_count': traceparents.length,
    };
    const options = { kind: 'consumer', attributes, ...parentOfBatch(traceparents) } as const;
    // What nobody traced begins no trace here.
    if (traceparents.every((each) => each === null)) return await work();
    return await inSpan(`process ${durable}`, options, work);
  } finally {
    durations.observe({ durable }, (performance.now() - startedMs) / 1_000);
  }
}
