import { environment, table } from '../../measurement/page.ts';
import type { CriterionMeasurement } from './measure-people.ts';
import type { RunsMeasurement } from './measure-runs.ts';
import type { CrawlMeasurement } from './measure-crawl.ts';
import type { Resident } from './resident-memory.ts';

const ms = (value: number) => `${Math.round(value)} ms`;
const mb = ({ before, most }: Resident) => `${Math.round(before)} → ${Math.round(most)} MB`;
const share = (value: number) => value.toFixed(3);

export function runsSection(rows: readonly RunsMeasurement[], command: string): string {
  const base = rows[0]!.latencyMs.p95;
  return [
    '## Many runs, many watchers',
    '',
    `${environment()}. Command: \`${command}\`.`,
    '',
    'The whole installation on one machine. Each run reads the memory and a site of its own of 25 pages, all begin within seconds, as fast as the plan lets a key ask, and each is watched by one WebSocket and by two event streams, all through the gateway. Latency is from the moment an event is written, inside its transaction, to the moment its watcher has read it: commit, notification, reading the log, gateway and network are in it. The clients and the sites share the cores.',
    '',
    table(
      [
        'runs',
        'watchers',
        'at once',
        'events read',
        'p50',
        'p95',
        'p99',
        'p95 of one run’s',
        'gaps, repeats',
        'took',
        'research',
        'gateway',
      ],
      rows.map((row) => [
        `${row.completed} of ${row.runs} completed`,
        String(row.watchers),
        String(row.together),
        row.events.toLocaleString('en-GB'),
        ms(row.latencyMs.p50),
        ms(row.latencyMs.p95),
        ms(row.latencyMs.p99),
        (row.latencyMs.p95 / base).toFixed(1),
        String(row.faults),
        `${row.seconds.toFixed(1)} s`,
        mb(row.research),
        mb(row.gateway),
      ]),
    ),
    '',
    'Memory is what is resident, before the runs were prepared and at its most.',
  ].join('\n');
}

export function peopleSection(measured: readonly CriterionMeasurement[], command: string): string {
  const sum = (of: (row: CriterionMeasurement) => number) => measured.reduce((all, row) => all + of(row), 0);
  return [
    '## People found by a criterion, in texts of our own',
    '',
    'The texts are generated from templates by the hand that wrote the first rules: a regression check, no measure of quality. For that see [Lists](#lists).',
    '',
    `${environment()}. Command: \`${command}\`.`,
    '',
    '200 generated texts about 170 people in a memory of their own: biographies in five manners, a table, a team page, 49 duplicates, 10 pairs of namesakes, and near misses — places of birth, former employers, skills that somebody lacks or would like to have. No model. A person counts as listed once; namesakes are two.',
    '',
    table(
      ['criterion', 'prompt', 'there', 'listed', 'precision', 'recall'],
      measured.map((row) => [
        row.name,
        row.prompt,
        String(row.wanted),
        String(row.listed),
        share(row.precision),
        share(row.recall),
      ]),
    ),
    '',
    `The goal is .9 for each. Cells with evidence: ${sum((row) => row.cellsWithEvidence)} of ${sum((row) => row.cells)}.`,
  ].join('\n');
}

export function crawlSection(crawl: CrawlMeasurement, command: string): string {
  return [
    '## A hostile site',
    '',
    `${environment()}. Command: \`${command}\`.`,
    '',
    '500 pages with a disallowed area, duplicates with a canonical address, an endless calendar, redirects in a circle and to a metadata service, a page of 50 MB, a page that never ends, and 60 MB packed into a few KB. One run, through the gateway, with 100 ms between two requests.',
    '',
    table(
      ['', ''],
      [
        ['allowed pages that were read', `${crawl.covered} of ${crawl.wanted}`],
        ['requests', String(crawl.requests)],
        ['of them for what robots.txt disallows', String(crawl.disallowed)],
        ['most requests at a time', String(crawl.busiest)],
        ['took', `${crawl.seconds.toFixed(0)} s`],
        ['memory of the research service, before → at its most', mb(crawl.research)],
      ],
    ),
  ].join('\n');
}
