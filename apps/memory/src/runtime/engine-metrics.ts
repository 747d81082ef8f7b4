import type { Database } from '@cairn/postgres';
import { queueSamples, type GaugeSample, sampledGauge, startSampling } from '@cairn/telemetry';

const segments = sampledGauge('cairn_index_segments', 'Segments of the lexical index, of all memories.', {
  combine: 'sum',
});
const segmentsMax = sampledGauge(
  'cairn_index_memory_segments_max',
  'Segments of the memory that has most: a search looks into each, and merges keep their number small.',
  { combine: 'max' },
);
const garbage = sampledGauge('cairn_index_overdue_segments', 'Segments whose pages should have been deleted by now.', {
  combine: 'sum',
});

const STATE = {
  name: 'engine_metrics',
  // Entries are counted up to a bound: beyond it only that the queue is far too long is of interest.
  text: `SELECT ingest.waiting, ingest.running, ingest.oldest, embedding.waiting AS embedding, embedding.oldest AS embedding_oldest,
                segments.total, segments.most, garbage.overdue
           FROM (SELECT count(*) FILTER (WHERE lease_until IS NULL OR lease_until < now()) AS waiting,
                        count(*) FILTER (WHERE lease_until >= now()) AS running,
                        extract(epoch FROM now() - min(queued_at))::float8 AS oldest
                   FROM (SELECT lease_until, queued_at FROM ingest_queue LIMIT 200000) AS bounded) AS ingest,
                (SELECT count(*) AS waiting, extract(epoch FROM now() - min(due_at))::float8 AS oldest
                   FROM (SELECT due_at FROM embedding_queue LIMIT 200000) AS bounded) AS embedding,
                (SELECT coalesce(sum(count), 0)::bigint AS total, coalesce(max(count), 0)::bigint AS most
                   FROM (SELECT count(*) FROM index_segments GROUP BY tenant_id, memory_id) AS memories) AS segments,
                (SELECT count(*) AS overdue FROM index_garbage WHERE due_at < now() - interval '1 hour') AS garbage`,
};

interface State {
  waiting: number;
  running: number;
  oldest: number | null;
  embedding: number;
  embedding_oldest: number | null;
  total: number;
  most: number;
  overdue: number;
}

/** Queues and index of one engine, read when the metrics are asked for; those of several engines are combined. */
export function sampleEngine(workerDatabase: Database): { close(): Promise<void> } {
  return startSampling({
    name: 'engine',
    async read(): Promise<GaugeSample[]> {
      const [state] = await workerDatabase.transaction((tx) => tx.query<State>(STATE), { mode: 'snapshot' });
      const { waiting, running, oldest, embedding, embedding_oldest, total, most, overdue } = state!;
      return [
        ...queueSamples('ingest', { waiting, running, oldestSeconds: oldest }),
        ...queueSamples('embedding', { waiting: embedding, oldestSeconds: embedding_oldest }),
        { gauge: segments, value: total },
        { gauge: segmentsMax, value: most },
        { gauge: garbage, value: overdue },
      ];
    },
  });
}
