import { table } from '../../measurement/page.ts';
import type { CallerTimes } from './callers.ts';
import type { RareWords } from './corpus.ts';
import type { QueryTimes, PipelineResult } from './pipeline.ts';

const GOAL_P95_MS = 20;
/** Steps that take less are not shown. */
const SHOWN_MIN_MS = 0.1;

/** The section of the page. */
export function pipelineSection(measured: Partial<Record<RareWords, PipelineResult>>, head: string): string {
  const { natural, long } = measured;
  return [
    `## The whole pipeline, signals on, ${count((natural ?? long)?.chunks ?? 0)} chunks`,
    '',
    head,
    '',
    ...(natural === undefined ? [] : [...naturalSection(natural), '']),
    ...(long === undefined ? [] : longSection(long)),
  ]
    .join('\n')
    .trimEnd();
}

const count = (of: number) => of.toLocaleString('en');

function naturalSection(natural: PipelineResult): string[] {
  const met = natural.pipeline.p95 < GOAL_P95_MS ? 'met' : 'missed';
  const { names, links, facts } = natural.graph;
  return [
    `${count(natural.chunks)} chunks and the graph that linking made of them (${count(names)} names, ${count(links)} links, ${count(facts)} facts); one caller, ${count(natural.queries)} questions, ten results, warm; the ways of asking took turns with the same questions. Each chunk has two sentences that name people, firms and places, one in eight is a turn of a conversation, and every other question names somebody. Words are as frequent as in large corpora.`,
    '',
    `- p95 of the pipeline ${natural.pipeline.p95.toFixed(1)} ms, goal < ${GOAL_P95_MS} ms: **${met}**; ${(natural.pipeline.p95 / natural.index.p95).toFixed(1)} times the index alone.`,
    `- p95 of a stream’s first event, which brings the sources: ${natural.firstEvent.p95.toFixed(1)} ms.`,
    '',
    ...timesOf(natural),
    '',
    'Several callers at a time, each asking again as soon as it has its answer, through the HTTP server of one process, whose one thread does all, and of two on the same database, asked by turns:',
    '',
    callersTable(natural.callers),
  ];
}

function longSection(long: PipelineResult): string[] {
  return [
    `With a long tail of rare words, as in the index’s other measurements (${count(long.graph.names)} names, ${count(long.graph.links)} links):`,
    '',
    ...timesOf(long),
  ];
}

function timesOf(result: PipelineResult): string[] {
  const row = (name: string, times: QueryTimes) => [name, times.p50.toFixed(1), times.p95.toFixed(1)];
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

/** A row for each number of processes and callers. */
export function callersTable(times: readonly CallerTimes[]): string {
  return table(
    ['processes', 'callers', 'p50 ms', 'p95 ms', 'answers a second', 'processor ms a search: service', 'PostgreSQL'],
    times.map(({ processes, callers, p50, p95, perSecond, serviceMs, postgresMs }) => [
      String(processes),
      String(callers),
      p50.toFixed(1),
      p95.toFixed(1),
      perSecond.toFixed(0),
      serviceMs.toFixed(1),
      postgresMs.toFixed(1),
    ]),
  );
}
