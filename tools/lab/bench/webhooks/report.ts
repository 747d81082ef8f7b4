import { join } from 'node:path';
import { environment, table, writeSection } from '../../measurement/page.ts';
import type { WebhookMeasurement } from './measure.ts';

export const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'measurements', 'webhooks.md');
const TITLE = 'Webhooks';
const GOAL = 1_500;

export async function writeReport(measured: WebhookMeasurement, note: string | undefined): Promise<void> {
  const { options, bare, fanOut, fanOutByTwo, singles, oneHost, newHost, healthy, besideDead, besideFlood } = measured;
  const backlog = options.backlog.toLocaleString('en');
  const rate = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
  const share = (value: number) => (value / bare).toFixed(2);
  const body = [
    '## Deliveries',
    '',
    `${environment()}. Command: \`npm run bench -- webhooks\`.${note === undefined ? '' : ` ${note}`}`,
    '',
    `${options.endpoints} endpoints in one process, plain HTTP on the same machine, each on an address of its own, as budgets are kept by address; the budgets are those of the defaults, and the hosts have accepted deliveries before. PostgreSQL with durable commits, NATS, the service and whoever emits the events share its cores. The peer is a loop that signs and posts the same envelopes through the same guard and keeps nothing: what it reaches is the most the machine allows.`,
    '',
    table(
      ['', 'deliveries', 'of the bare loop'],
      [
        ['bare loop', rate(bare), '1'],
        [`backlog of ${backlog}, ten endpoints for each tenant: an event goes to ten`, rate(fanOut), share(fanOut)],
        ['the same by two processes of the service', rate(fanOutByTwo), share(fanOutByTwo)],
        [`the same, a tenant for each endpoint: an event goes to one`, rate(singles), share(singles)],
        [`a fifth of it, all endpoints on one host (its ceiling is 500/s)`, rate(oneHost), share(oneHost)],
      ],
    ),
    '',
    `The goal is ${GOAL.toLocaleString('en')} a second on 2 cores. Every delivery is a row before it is claimed, an attempt on disk before it is sent, and its answer on disk before it counts.`,
    '',
    `A host that nobody has sent to before, while ${Math.ceil(options.backlog / 3).toLocaleString('en')} deliveries of one tenant wait for it, got in each second: ${newHost.join(', ')}.`,
    '',
    `## Latency, dead endpoints, and a flood`,
    '',
    `From the commit of the event to its arrival, ${Math.round(options.offered).toLocaleString('en')} deliveries a second offered for ${options.seconds} s. Dead endpoints take the connection and the request and never answer, so that each attempt costs its five seconds. The flood is another tenant with 100 webhooks on one receiver and 1,200 events, 120,000 deliveries, which begins with the measurement.`,
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
        [
          `${options.endpoints} healthy beside the flood`,
          `${besideFlood.p50Ms} ms`,
          `${besideFlood.p99Ms} ms`,
          rate(besideFlood.deliveriesPerSecond),
        ],
      ],
    ),
    '',
    `p99 of the healthy ones beside dead ones: ${(besideDead.p99Ms / healthy.p99Ms).toFixed(2)} of what it is without them; the goal is at most 2. Beside the flood: ${(besideFlood.p99Ms / healthy.p99Ms).toFixed(2)}; the flood's receiver was sent at most ${measured.floodPerSecondMax} in a second.`,
  ].join('\n');
  await writeSection(PAGE, TITLE, 'deliveries', body);
}
