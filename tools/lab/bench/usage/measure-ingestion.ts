import { decodeEvent, newId } from '@cairn/contracts';
import { connectEventBus } from '@cairn/events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, type Database } from '@cairn/postgres';
import { createLogger } from '@cairn/service-kit';
import { processorTimeMs } from '@cairn/testing';
import { ingestCalls } from '../../../../apps/usage/src/calls/ingest-calls.ts';
import { createMonthPartitions } from '../../../../apps/usage/src/months/partitions.ts';
import { type LlmCall } from '../../../../apps/usage/src/stores/call-store.ts';
import { readCall } from '../../../../apps/usage/src/calls/read-call.ts';
import { parsePriceList } from '../../../../apps/usage/src/prices/price-list.ts';
import type { BenchHarness } from './bench-harness.ts';
import type { ServiceProcess } from '../../../../apps/usage/tests/service-process.ts';
import { publishSurely, untilAcknowledged } from '../../../../apps/usage/tests/delivery.ts';
import { BENCH_MODELS, BENCH_PRICES } from '../../../../apps/usage/tests/prices.ts';
import { type MadeCall, randomCall } from '../../../../apps/usage/tests/random-calls.ts';

export interface IngestionResult {
  way: string;
  events: number;
  perSecond: number;
  /** Of broker, service and PostgreSQL together, for one event; null where only a part of it was at work. */
  processorMicros: number | null;
}

interface IngestionOptions {
  harness: BenchHarness;
  random: () => number;
  events: number;
  say: (line: string) => void;
}

const TENANTS = 50;
/** With it the first of 20 models makes 37 % of the calls, and the first of 50 tenants 27 %. */
const SKEW = 3;
const SPREADS: [string, number][] = [
  ['some tenants and models make most of the calls', SKEW],
  ['all are called evenly, the worst case', 1],
];
const BATCH_MAX = 16_000;
const PLAIN_BATCH_MAX = 1_000;
const AT_ONCE = 8;
const SINGLES_MAX = 4_000;
const PUBLISHED_AT_ONCE = 500;
const POLL_MS = 100;

/**
 * Events a second: through the broker and the service as they are run, and the same work without the broker beside
 * two other ways to store it.
 */
export async function measureIngestion(options: IngestionOptions): Promise<IngestionResult[]> {
  const { harness, events, random, say } = options;
  const results: IngestionResult[] = [];
  const note = (way: string, count: number, seconds: number, processorMicros: number | null = null) => {
    results.push({ way, events: count, perSecond: count / seconds, processorMicros });
    say(`${way}: ${Math.round(count / seconds)} events/s`);
  };
  for (const [name, skew] of SPREADS) {
    const whole = await throughService(harness, [harness.service], makeCalls(random, events, skew));
    note(`broker → service → roll-ups, durable; ${name}`, events, whole.seconds, whole.processorMicros);
  }
  const second = await harness.startAnother();
  try {
    const whole = await throughService(harness, [harness.service, second], makeCalls(random, events));
    note('the first by two processes of the service', events, whole.seconds);
  } finally {
    await second.stop();
  }
  const database = createDatabase({ url: harness.roles.workerUrl, applicationName: 'bench', poolMax: AT_ONCE });
  try {
    const calls = makeCalls(random, events).map(({ event }) => readCall(decodeEvent(event.payload)));
    note('the same without the broker, batches of 16,000', events, await inBatches(database, calls, BATCH_MAX, 1));
    const plain = makeCalls(random, events).map(({ event }) => readCall(decodeEvent(event.payload)));
    note('calls alone: no roll-ups, no look for repeats', events, await callsAlone(harness, database, plain));
    const singles = Math.min(events, SINGLES_MAX);
    const few = makeCalls(random, singles).map(({ event }) => readCall(decodeEvent(event.payload)));
    note('one transaction an event, 8 at once', singles, await inBatches(database, few, 1, AT_ONCE));
  } finally {
    await database.close();
  }
  return results;
}

/** Calls of this hour by 50 tenants on 20 models. */
function makeCalls(random: () => number, events: number, skew = SKEW): MadeCall[] {
  const now = Date.now();
  const world = {
    tenants: Array.from({ length: TENANTS }, () => ({ tenantId: newId('tenant'), livemode: true })),
    models: BENCH_MODELS,
    skew,
    from: new Date(now - 3_600_000),
    to: new Date(now),
  };
  return Array.from({ length: events }, () => randomCall(random, world));
}

/** Seconds from the start of processes that find the events waiting until they have committed all. */
async function throughService(harness: BenchHarness, processes: readonly ServiceProcess[], calls: readonly MadeCall[]) {
  await Promise.all(processes.map((each) => each.stop()));
  const bus = await connectEventBus({ natsUrl: harness.natsUrl, name: 'bench' });
  for (let from = 0; from < calls.length; from += PUBLISHED_AT_ONCE)
    await Promise.all(calls.slice(from, from + PUBLISHED_AT_ONCE).map(({ event }) => publishSurely(bus, event)));
  await bus.close();
  const before = await callsStored(harness);
  await Promise.all(processes.map((each) => each.killAndRestart()));
  const used = await processorTimeMs(harness.roots());
  const started = performance.now();
  while ((await callsStored(harness)) < before + calls.length) await sleep(POLL_MS);
  const seconds = (performance.now() - started) / 1_000;
  const processorMs = (await processorTimeMs(harness.roots())) - used;
  await untilAcknowledged(harness.natsUrl);
  return { seconds, processorMicros: (processorMs * 1_000) / calls.length };
}

async function callsStored({ superuser }: BenchHarness): Promise<number> {
  const { rows } = await superuser.query<{ calls: string }>(
    "SELECT coalesce(sum(calls), 0) AS calls FROM llm_rollups WHERE dimension = 'tenant'",
  );
  return Number(rows[0]!.calls);
}

async function inBatches(
  database: Database,
  calls: readonly LlmCall[],
  batchMax: number,
  atOnce: number,
): Promise<number> {
  const prices = parsePriceList(JSON.stringify(BENCH_PRICES), 'prices');
  const deps = {
    workerDatabase: database,
    prices: { current: () => prices },
    months: createMonthPartitions(database),
    logger: createLogger('bench', 'silent'),
  };
  const started = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < calls.length) {
      const batch = calls.slice(next, next + batchMax);
      next += batchMax;
      await ingestCalls(deps, batch);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (performance.now() - started) / 1_000;
}

/** What storing costs that promises nothing: the same columns in a table without keys. */
async function callsAlone(harness: BenchHarness, database: Database, calls: readonly LlmCall[]): Promise<number> {
  await harness.superuser.query('CREATE TABLE plain_calls (LIKE llm_calls)');
  await harness.superuser.query('GRANT ALL ON plain_calls TO usage_worker');
  const started = performance.now();
  for (let from = 0; from < calls.length; from += PLAIN_BATCH_MAX) {
    const batch = calls.slice(from, from + PLAIN_BATCH_MAX).map((call) => ({ ...call, micro_credits: 0 }));
    await database.transaction((tx) =>
      tx.execute('INSERT INTO plain_calls SELECT * FROM json_populate_recordset(NULL::plain_calls, $1)', [
        JSON.stringify(batch),
      ]),
    );
  }
  const seconds = (performance.now() - started) / 1_000;
  await harness.superuser.query('DROP TABLE plain_calls');
  return seconds;
}
