import { table } from '@cairn/testing';
import type { AskedTimes, PipelineResult } from './pipeline.ts';

const GOAL_P95_MS = 30;

/** The section of the page. */
export function pipelineSection(result: PipelineResult, head: string): string {
  const row = (name: string, times: AskedTimes) => [name, times.p50.toFixed(1), times.p95.toFixed(1)];
  const met = result.pipeline.p95 < GOAL_P95_MS ? 'met' : 'missed';
  const count = (of: number) => of.toLocaleString('en');
  const { names, links, facts } = result.graph;
  return [
    '## The whole pipeline, signals on',
    '',
    head,
    '',
    `${count(result.chunks)} chunks and the graph that linking made of them (${count(names)} names, ${count(links)} links, ${count(facts)} facts); one caller, ${count(result.queries)} questions, ten results, warm; the ways of asking took turns with the same questions. Each chunk has two sentences that name people, firms and places, one in eight is a turn of a conversation, and every other question names somebody.`,
    '',
    `- p95 of the pipeline ${result.pipeline.p95.toFixed(1)} ms, goal < ${GOAL_P95_MS} ms: **${met}**; ${(result.pipeline.p95 / result.index.p95).toFixed(1)} times the index alone.`,
    `- p95 of a stream’s first event, which brings the sources: ${result.firstEvent.p95.toFixed(1)} ms.`,
    '',
    table(
      ['asked', 'p50 ms', 'p95 ms'],
      [
        row('index and chunks, ten hits', result.index),
        row(
          'the pipeline: index, 50 candidates, graph, all signals, contradictions, extractive answer',
          result.pipeline,
        ),
        row('the same through the service’s HTTP server', result.http),
        row('the first event of a stream, through the same server', result.firstEvent),
      ],
    ),
    '',
    'Steps of the pipeline, as `timing_ms` says them:',
    '',
    table(
      ['step', 'p50 ms', 'p95 ms'],
      Object.entries(result.steps).map(([name, times]) => [name, times.p50.toFixed(2), times.p95.toFixed(2)]),
    ),
  ].join('\n');
}
