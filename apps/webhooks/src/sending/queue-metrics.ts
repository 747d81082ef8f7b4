import type { Database } from '@cairn/postgres';
import { queueSamples, type GaugeSample, sampledGauge, startSampling } from '@cairn/telemetry';

const paused = sampledGauge(
  'cairn_webhook_endpoints_paused',
  'Webhooks that were deactivated because their endpoints keep failing.',
  { combine: 'sum' },
);
const failing = sampledGauge(
  'cairn_webhook_endpoints_failing',
  'Active webhooks whose deliveries end as dead letters at the moment.',
  { combine: 'sum' },
);

const STATE = {
  name: 'webhook_metrics',
  text: `SELECT queue.*, fan_outs.count AS fan_outs, hooks.paused, hooks.failing
           FROM (SELECT count(*) FILTER (WHERE claimed_until IS NULL AND due_at <= now()) AS due,
                        count(*) FILTER (WHERE claimed_until IS NULL AND due_at > now()) AS deferred,
                        count(*) FILTER (WHERE claimed_until IS NOT NULL) AS claimed,
                        extract(epoch FROM now() - min(due_at) FILTER (WHERE claimed_until IS NULL))::float8 AS oldest
                   FROM (SELECT due_at, claimed_until FROM delivery_queue LIMIT 500000) AS bounded) AS queue,
                (SELECT count(*) FROM (SELECT FROM pending_fan_outs LIMIT 200000) AS bounded) AS fan_outs,
                (SELECT count(*) FILTER (WHERE inactive_reason = 'endpoint_failing') AS paused,
                        count(*) FILTER (WHERE active AND failing_since IS NOT NULL) AS failing
                   FROM webhooks WHERE deleted_at IS NULL) AS hooks`,
};

interface State {
  due: number;
  deferred: number;
  claimed: number;
  oldest: number | null;
  fan_outs: number;
  paused: number;
  failing: number;
}

/** The queue of deliveries and the endpoints, read when the metrics are asked for. */
export function sampleDeliveries(workerDatabase: Database): { close(): Promise<void> } {
  return startSampling({
    name: 'deliveries',
    async read(): Promise<GaugeSample[]> {
      const [state] = await workerDatabase.transaction((tx) => tx.query<State>(STATE), { mode: 'snapshot' });
      const { due, deferred, claimed, oldest, fan_outs, ...endpoints } = state!;
      return [
        ...queueSamples('webhook_deliveries', { waiting: due, running: claimed, oldestSeconds: oldest }),
        ...queueSamples('webhook_deferred', { waiting: deferred }),
        ...queueSamples('webhook_fan_outs', { waiting: fan_outs }),
        { gauge: paused, value: endpoints.paused },
        { gauge: failing, value: endpoints.failing },
      ];
    },
  });
}
