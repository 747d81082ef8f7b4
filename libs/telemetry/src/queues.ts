import { type GaugeSample, sampledGauge } from './sampling.ts';

const waiting = sampledGauge('cairn_queue_waiting', 'Entries of a queue that nobody works on.', {
  labels: ['queue'],
  combine: 'sum',
});
const running = sampledGauge('cairn_queue_running', 'Entries of a queue that somebody works on.', {
  labels: ['queue'],
  combine: 'sum',
});
const oldest = sampledGauge('cairn_queue_oldest_seconds', 'How long the oldest entry of a queue has been due.', {
  labels: ['queue'],
  combine: 'max',
});

/** The queues of Cairn; `deferred` ones hold what is to be done later, such as repeats. */
type QueueName =
  | 'ingest'
  | 'embedding'
  | 'webhook_deliveries'
  | 'webhook_deferred'
  | 'webhook_fan_outs'
  | 'research_runs'
  | 'research_clarifications'
  | 'tenancy_jobs'
  | 'revocations';

/** The state of a queue; `null` where the queue has no such thing. */
export function queueSamples(
  queue: QueueName,
  state: { waiting: number; running?: number | null; oldestSeconds?: number | null },
): GaugeSample[] {
  const labels = { queue };
  return [
    { gauge: waiting, labels, value: state.waiting },
    { gauge: running, labels, value: state.running ?? 0 },
    { gauge: oldest, labels, value: Math.max(0, state.oldestSeconds ?? 0) },
  ];
}
