import type { Database } from '@cairn/postgres';
import { queueSamples, type GaugeSample, startSampling } from '@cairn/telemetry';

const STATE = {
  name: 'research_metrics',
  // Two parts, one for each of the partial indexes.
  text: `SELECT idle.queued, idle.oldest, idle.clarifying, active.running
           FROM (SELECT count(*) FILTER (WHERE status = 'queued') AS queued,
                        count(*) FILTER (WHERE status = 'waiting') AS clarifying,
                        extract(epoch FROM now() - min(coalesce(wake_at, created_at)) FILTER (WHERE status = 'queued'))::float8 AS oldest
                   FROM runs WHERE status IN ('held', 'queued', 'waiting')) AS idle,
                (SELECT count(*) AS running FROM runs WHERE status = 'running') AS active`,
};

interface State {
  queued: number;
  oldest: number | null;
  clarifying: number;
  running: number;
}

/** Runs by status, read when the metrics are asked for. */
export function sampleRuns(workerDatabase: Database): { close(): Promise<void> } {
  return startSampling({
    name: 'runs',
    async read(): Promise<GaugeSample[]> {
      const [state] = await workerDatabase.transaction((tx) => tx.query<State>(STATE), { mode: 'snapshot' });
      const { queued, oldest, clarifying, running } = state!;
      return [
        ...queueSamples('research_runs', { waiting: queued, running, oldestSeconds: oldest }),
        ...queueSamples('research_clarifications', { waiting: clarifying }),
      ];
    },
  });
}
