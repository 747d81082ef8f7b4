import type { Database } from '@cairn/postgres';
import { queueSamples, type GaugeSample, sampledGauge, startSampling } from '@cairn/telemetry';

const failing = sampledGauge('cairn_tenancy_jobs_failing', 'Jobs whose last attempt failed; they are repeated.', {
  combine: 'sum',
});

const STATE = {
  name: 'tenancy_metrics',
  // Moves wait for their turn and take as long as their memories are large: that is no queue that is stuck.
  text: `SELECT count(*) FILTER (WHERE kind <> 'moveMemory' AND (lease_until IS NULL OR lease_until < now())) AS waiting,
                count(*) FILTER (WHERE lease_until >= now()) AS running,
                count(*) FILTER (WHERE error IS NOT NULL) AS failing,
                extract(epoch FROM now() - min(created_at) FILTER (WHERE kind <> 'moveMemory'))::float8 AS oldest FROM jobs`,
};

interface State {
  waiting: number;
  running: number;
  failing: number;
  oldest: number | null;
}

/** Jobs that create and erase, read when the metrics are asked for. */
export function sampleJobs(workerDatabase: Database): { close(): Promise<void> } {
  return startSampling({
    name: 'jobs',
    async read(): Promise<GaugeSample[]> {
      const [state] = await workerDatabase.transaction((tx) => tx.query<State>(STATE), { mode: 'snapshot' });
      const { waiting, running, oldest } = state!;
      return [
        ...queueSamples('tenancy_jobs', { waiting, running, oldestSeconds: oldest }),
        { gauge: failing, value: state!.failing },
      ];
    },
  });
}
