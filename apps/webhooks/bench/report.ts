import { join } from 'node:path';
import { environment, table, writeSection } from '@cairn/testing';
import type { Measured } from './measure.ts';

export const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'measurements', 'webhooks.md');
const TITLE = 'Webhooks';
const GOAL = 1_500;

export async function writeReport(measured: Measured, note: string | undefined): Promise<void> {
  const { options, bare, fanOut, singles, healthy, besideDead } = measured;
  const rate = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
  const share = (value: number) => (value / bare).toFixed(2);
  const body = [
    '## Deliveries',
    '',
    `${environment()}. Command: \`npm run bench -- webhooks\`.${note === undefined ? '' : ` ${note}`}`,
    '',
    `${options.endpoints} endpoints in one process, plain HTTP on the same machine; PostgreSQL with durable commits, NATS, the service and whoever emits the events share its cores. The peer is a loop that signs and posts the same envelopes through the same guard and keeps nothing: what it reaches is the most the machine allows.`,
    '',
    table(
      ['', 'deliveries', 'of the bare loop'],
      [
        ['bare loop', rate(bare), '1'],
        [
          `backlog of ${options.backlog.toLocaleString('en')}, one tenant: an event goes to all endpoints`,
          rate(fanOut),
          share(fanOut),
        ],
        [`the same, a tenant for each endpoint: an event goes to one`, rate(singles), share(singles)],
      ],
    ),
    '',
    `The goal is ${GOAL.toLocaleString('en')} a second on 2 cores. Every delivery is a row before it is claimed, an attempt on disk before it is sent, and its answer on disk before it counts.`,
    '',
    `## Latency, and dead endpoints`,
    '',
    `From the commit of the event to its arrival, ${Math.round(options.offered).toLocaleString('en')} deliveries a second offered for ${options.seconds} s. Dead endpoints take the connection and the request and never answer, so that each attempt costs its five seconds.`,
    '',
    table(
      ['', 'p50', 'p99', 'arrived at the healthy ones'],
      [
        [
          `${options.endpoints} healthy`,
          `${healthy.p50Ms} ms`,
          `${healthy.p99Ms} ms`,
          rate(healthy.deliveriesPerSecond),
        ],
        [
          `${options.endpoints - options.dead} healthy beside ${options.dead} dead`,
          `${besideDead.p50Ms} ms`,
          `${besideDead.p99Ms} ms`,
          rate(besideDead.deliveriesPerSecond),
        ],
      ],
    ),
    '',
    `p99 of the healthy ones beside dead ones: ${(besideDead.p99Ms / healthy.p99Ms).toFixed(2)} of what it is without them; the goal is at most 2.`,
  ].join('\n');
  await writeSection(PAGE, TITLE, 'deliveries', body);
}
