import { createDatabase } from '@cairn/postgres';
import { seededRandom } from '@cairn/testing';
import { environment, table, writeSection } from '../../measurement/page.ts';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startBenchHarness } from './bench-harness.ts';
import { fillRollups, rowsOf, YEAR } from './fill-rollups.ts';
import { measureReading, type ReadingResult } from './measure-reading.ts';
import { measureIngestion, type IngestionResult } from './measure-ingestion.ts';
import { clusterClosedPartitions } from '../../../../apps/usage/src/rollups/cluster-closed-partitions.ts';
import { BENCH_PRICES } from '../../../../apps/usage/tests/prices.ts';

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: 'ingest,read' },
    events: { type: 'string', default: '200000' },
    days: { type: 'string', default: '365' },
    queries: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    'no-report': { type: 'boolean', default: false },
  },
});
const ORDER_TIMEOUT_MS = 30 * 60_000;
const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'measurements', 'usage.md');
const say = (line: string) => process.stdout.write(`${line}\n`);
const whole = (value: number) => Math.round(value).toLocaleString('en-GB');
const parts = new Set(values.parts.split(','));
const random = seededRandom(Number(values.seed));
const year = { ...YEAR, days: Number(values.days) };

const harness = await startBenchHarness(BENCH_PRICES);
try {
  const head = `${environment().replace('PostgreSQL 17', `PostgreSQL ${harness.postgresVersion}`)}, with the settings of the embedded start and durable commits. The machine is shared with other work: compare the rows of one run.`;
  if (parts.has('ingest')) {
    const events = Number(values.events);
    const results = await measureIngestion({ harness, random, events, say });
    if (!values['no-report']) await writeSection(PAGE, 'Usage', 'ingest', ingestSection(results, head));
  }
  if (parts.has('read')) {
    say(`filling ${whole(rowsOf(year))} rows of roll-ups`);
    await fillRollups(harness.superuser, year, say);
    await clusterMonths(harness.roles.workerUrl);
    const results = await measureReading({ harness, year, random, queries: Number(values.queries) });
    for (const { what, callers, p50Ms, p95Ms, p99Ms, processorMs } of results)
      say(
        `${what}, ${callers} callers: p50 ${p50Ms.toFixed(1)}, p95 ${p95Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)}, processor ${processorMs.toFixed(1)} ms`,
      );
    if (!values['no-report']) await writeSection(PAGE, 'Usage', 'read', readSection(results, head));
  }
} finally {
  await harness.remove();
}

/** As the service does each hour; here for the whole year at once. */
async function clusterMonths(url: string): Promise<void> {
  const database = createDatabase({ url, applicationName: 'bench', poolMax: 1, statementTimeoutMs: ORDER_TIMEOUT_MS });
  const months = await clusterClosedPartitions({ maintenanceDatabase: database, now: () => new Date() });
  say(`${months} months put in order`);
  await database.close();
}

function ingestSection(results: IngestionResult[], head: string): string {
  const first = results[0]!.perSecond;
  return [
    '## Events a second',
    '',
    `${head} Command: \`npm run bench -- usage --parts ingest --events ${values.events}\`.`,
    '',
    'Calls of one hour by 50 tenants on 20 models, each with up to seven dimensions, which makes up to 13 rows of roll-ups to add to; the more calls of a batch share one, the less work it is. The rows without the broker are of the uneven kind. The broker, the service and PostgreSQL share the two cores. The goal is 10,000 a second.',
    '',
    table(
      ['way', 'events', 'events/s', 'ratio', 'processor time an event'],
      results.map(({ way, events, perSecond, processorMicros }) => [
        way,
        whole(events),
        whole(perSecond),
        (perSecond / first).toFixed(2),
        processorMicros === null ? '' : `${whole(processorMicros)} µs`,
      ]),
    ),
  ].join('\n');
}

function readSection(results: ReadingResult[], head: string): string {
  return [
    '## Reading',
    '',
    `${head} Command: \`npm run bench -- usage --parts read\`.`,
    '',
    `\`GET /api/v1/usage/llm\` at the service, identity checked, by 1, 8 and 32 callers that ask again as soon as they have their answers, over ${whole(rowsOf(year))} rows of roll-ups: ${year.days} days × 50 tenants × 20 models × 30 ids. Random tenant, dimension, id or all ids, by day or by model. Months that are over were put in order, as the service does; the rows of this month lie on their pages as they came, in no order. The goal is a 95th percentile below 50 ms with one caller.`,
    '',
    table(
      ['asked for', 'callers', 'queries', 'queries/s', 'p50', 'p95', 'p99', 'processor time a query'],
      results.map(({ what, callers, queries, perSecond, p50Ms, p95Ms, p99Ms, processorMs }) => [
        what,
        String(callers),
        whole(queries),
        whole(perSecond),
        ...[p50Ms, p95Ms, p99Ms, processorMs].map((ms) => `${ms.toFixed(1)} ms`),
      ]),
    ),
  ].join('\n');
}
