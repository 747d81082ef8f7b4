import type { Database } from '@cairn/postgres';
import {
  counter,
  durationHistogram,
  queueSamples,
  type GaugeSample,
  sampledGauge,
  startSampling,
} from '@cairn/telemetry';

const leases = sampledGauge('cairn_gateway_leases', 'Gateway processes with a live lease.', { combine: 'max' });
const notifications = counter(
  'cairn_revocation_notifications_total',
  'Invalidations that were sent to gateways, by whether the gateway acknowledged.',
  ['outcome'],
);
const barriers = durationHistogram(
  'cairn_revocation_duration_seconds',
  'From the beginning of an invalidation until no gateway uses the old state.',
  ['effect', 'outcome'],
);

const STATE = {
  name: 'keys_metrics',
  text: `SELECT (SELECT count(*) FROM gateway_leases WHERE expires_at > now()) AS leases, denials.*
           FROM (SELECT count(*) AS waiting, extract(epoch FROM now() - min(begun_at))::float8 AS oldest
                   FROM open_denials) AS denials`,
};

/** Gateways' leases and revocations that are not done yet, read when the metrics are asked for. */
export function sampleGateways(workerDatabase: Database): { close(): Promise<void> } {
  return startSampling({
    name: 'gateways',
    async read(): Promise<GaugeSample[]> {
      const [state] = await workerDatabase.transaction(
        (tx) => tx.query<{ leases: number; waiting: number; oldest: number | null }>(STATE),
        { mode: 'snapshot' },
      );
      const { waiting, oldest } = state!;
      return [
        { gauge: leases, value: state!.leases },
        ...queueSamples('revocations', { waiting, oldestSeconds: oldest }),
      ];
    },
  });
}

/** Counts an invalidation that is sent to a gateway. */
export async function observeNotification<T>(sent: Promise<T>): Promise<T> {
  try {
    const result = await sent;
    notifications.inc({ outcome: 'acknowledged' });
    return result;
  } catch (error) {
    notifications.inc({ outcome: 'failed' });
    throw error;
  }
}

/** Times a whole invalidation: both barriers and the commit between them. */
export async function observeInvalidation<T>(effect: 'deny' | 'recheck', work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  let outcome = 'failed';
  try {
    const result = await work();
    outcome = 'done';
    return result;
  } finally {
    barriers.observe({ effect, outcome }, (performance.now() - startedMs) / 1_000);
  }
}
