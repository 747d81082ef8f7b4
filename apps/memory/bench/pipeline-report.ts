import { table } from '@cairn/testing';
import type { AskedTimes, PipelineResult } from './pipeline.ts';

const GOAL_P95_MS = 30;

/** The section of the page. */
export function pipelineSection(result: PipelineResult, head: string): string {
  const row = (name: string, times: AskedTimes) => [name, times.p50.toFixed(1), times.p95.toFixed(1)];
  const met = result.pipeline.p95 < GOAL_P95_MS ? 'met' : 'missed';
  return [
    '## The whole pipeline, signals on',
    '',
    head,
    '',
    `${result.chunks.toLocaleString('en')} chunks, one caller, ${result.queries.toLocaleString('en')} queries, warm; index and pipeline took turns with the same queries. p95 of the pipeline ${result.pipeline.p95.toFixed(1)} ms, goal < ${GOAL_P95_MS} ms: **${met}**; ${(result.pipeline.p95 / result.index.p95).toFixed(1)} times the index alone.`,
    '',
    table(
      ['asked', 'p50 ms', 'p95 ms'],
      [
        row('index and chunks, ten hits', result.index),
        row('the pipeline: index, 50 candidates, signals, extractive answer', result.pipeline),
        row('the pipeline until its sources are known, which is the first event of a stream', result.sources),
        row(
          `exact scan of ${result.exactScan.vectors.toLocaleString('en')} vectors of 384 numbers among ${result.exactScan.of.toLocaleString('en')}, without pgvector`,
          result.exactScan,
        ),
      ],
    ),
    '',
    'The exact scan compares every vector, so its recall is 1 by construction. HNSW under a filter is measured in a process of its own with PGlite: `node apps/memory/bench/vectors/measure-pgvector.ts`.',
  ].join('\n');
}
