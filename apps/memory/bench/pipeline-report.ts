import { table } from '@cairn/testing';
import type { CallerTimes } from './callers.ts';
import type { RareWords } from './corpus.ts';
import type { AskedTimes, PipelineResult } from './pipeline.ts';

const GOAL_P95_MS = 30;
/** Steps that take less are not shown. */
const SHOWN_MIN_MS = 0.1;

/** The section of the page. */
export function pipelineSection({ natural, long }: Record<RareWords, PipelineResult>, head: string): string {
  const met = natural.pipeline.p95 < GOAL_P95_MS ? 'met' : 'missed';
  const count = (of: number) => of.toLocaleString('en');
  const { names, links, facts } = natural.graph;
  return [
    '## The whole pipeline, signals on',
    '',
    head,
    '',
    `${count(natural.chunks)} chunks and the graph that linking made of them (${count(names)} names, ${count(links)} links, ${count(facts)} facts); one caller, ${count(natural.queries)} questions, ten results, warm; the ways of asking took turns with the same questions. Each chunk has two sentences that name people, firms and places, one in eight is a turn of a conversation, and every other question names somebody. Words are as frequent as in large corpora; below, the same with the long tail of rare words of the index’s other measurements.`,
    '',
    `- p95 of the pipeline ${natural.pipeline.p95.toFixed(1)} ms, goal < ${GOAL_P95_MS} ms: **${met}**; ${(natural.pipeline.p95 / natural.index.p95).toFixed(1)} times the index alone.`,
    `- p95 of a stream’s first event, which brings the sources: ${natural.firstEvent.p95.toFixed(1)} ms.`,
    '',
    ...timesOf(natural),
    '',
    'Several callers at a time, through the HTTP server of one process, each asking again as soon as it has its answer:',
    '',
    callersTable(natural.callers),
    '',
    `With a long tail of rare words (${count(long.graph.names)} names, ${count(long.graph.links)} links):`,
    '',
    ...timesOf(long),
  ].join('\n');
}

function timesOf(result: PipelineResult): string[] {
  const row = (name: string, times: AskedTimes) => [name, times.p50.toFixed(1), times.p95.toFixed(1)];
  return [
    table(
      ['asked', 'p50 ms', 'p95 ms'],
      [
        row('index and chunks, ten hits', result.index),
        row(
          'the pipeline: index, 50 candidates, graph, all signals, contradictions, extractive answer',
          result.pipeline,
        ),
        row('the same question again, through the service’s HTTP server', result.http),
        row('the first event of a stream, through the same server', result.firstEvent),
        ...Object.entries(result.steps)
          .filter(([name, times]) => name !== 'total' && times.p95 >= SHOWN_MIN_MS)
          .map(([name, times]) => row(`of the pipeline: \`${name}\``, times)),
      ],
    ),
  ];
}

/** A row for each number of callers. */
export function callersTable(times: readonly CallerTimes[]): string {
  return table(
    ['callers', 'p50 ms', 'p95 ms', 'answers a second'],
    times.map(({ callers, p50, p95, perSecond }) => [
      String(callers),
      p50.toFixed(1),
      p95.toFixed(1),
      perSecond.toFixed(0),
    ]),
  );
}
