import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@cairn/contracts';
import { quantile } from '@cairn/testing';
import { bareDeliveriesPerSecond } from './bare-sender.ts';
import { type BenchWorld, startBenchWorld } from './bench-world.ts';
import { type Receivers, startEmitter, startReceivers, startService } from './processes.ts';

export interface MeasureOptions {
  endpoints: number;
  /** Of the endpoints, in the second latency run. */
  dead: number;
  /** Deliveries that wait when the service starts. */
  backlog: number;
  /** Deliveries a second that are offered while latencies are taken. */
  offered: number;
  seconds: number;
  warmUpSeconds: number;
}

export interface Latencies {
  deliveriesPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Measured {
  options: MeasureOptions;
  /** The peer that keeps nothing. */
  bare: number;
  /** Working off a backlog: one event for every endpoint of a tenant, and a tenant for every endpoint. */
  fanOut: number;
  singles: number;
  /** Healthy endpoints alone, and with the dead ones beside them. */
  healthy: Latencies;
  besideDead: Latencies;
}

type Say = (line: string) => void;

const POLL_MS = 100;
const BARE_SECONDS = 5;
const BARE_AT_ONCE = 64;

export async function measure(options: MeasureOptions, say: Say): Promise<Measured> {
  const receivers = await startReceivers({ alive: options.endpoints, dead: 0 });
  const bare = await bareDeliveriesPerSecond(receivers.urls, BARE_SECONDS, BARE_AT_ONCE);
  say(`bare loop that keeps nothing: ${bare.toFixed(0)} deliveries/s`);
  await receivers.close();
  const fanOut = await inWorld((world) => workOff(world, options, 1));
  say(`backlog, one tenant: ${fanOut.toFixed(0)} deliveries/s`);
  const singles = await inWorld((world) => workOff(world, options, options.endpoints));
  say(`backlog, a tenant for each endpoint: ${singles.toFixed(0)} deliveries/s`);
  const healthy = await inWorld((world) => latencies(world, options, 0));
  say(`healthy: p50 ${healthy.p50Ms} ms, p99 ${healthy.p99Ms} ms at ${healthy.deliveriesPerSecond.toFixed(0)}/s`);
  const besideDead = await inWorld((world) => latencies(world, options, options.dead));
  say(
    `beside ${options.dead} dead ones: p50 ${besideDead.p50Ms} ms, p99 ${besideDead.p99Ms} ms at ${besideDead.deliveriesPerSecond.toFixed(0)}/s`,
  );
  return { options, bare, fanOut, singles, healthy, besideDead };
}

async function inWorld<T>(work: (world: BenchWorld) => Promise<T>): Promise<T> {
  const world = await startBenchWorld();
  try {
    return await work(world);
  } finally {
    await world.remove();
  }
}

async function registerAll(world: BenchWorld, urls: readonly string[], tenants: number): Promise<string[]> {
  const tenantIds = Array.from({ length: tenants }, () => newId('tenant'));
  for (const [n, url] of urls.entries()) await world.register(tenantIds[n % tenants]!, url);
  return tenantIds;
}

/** Deliveries a second while a backlog in the stream is worked off, from the first arrival to the last. */
async function workOff(world: BenchWorld, options: MeasureOptions, tenants: number): Promise<number> {
  const receivers = await startReceivers({ alive: options.endpoints, dead: 0 });
  const tenantIds = await registerAll(world, receivers.urls, tenants);
  const emitter = await startEmitter({ ...urlsOf(world), tenantIds });
  const perEvent = options.endpoints / tenants;
  const events = Math.ceil(options.backlog / perEvent);
  let committed = 0;
  while (committed < events)
    committed += (await emitter.emit({ eventsPerSecond: Math.max(200, events), seconds: 1 })).length;
  while ((await world.ask('SELECT 1 FROM outbox LIMIT 1')).length > 0) await sleep(POLL_MS);
  await emitter.close();
  const service = await startService(world.config);
  const beganAt = Date.now();
  const wanted = committed * perEvent;
  let count = 0;
  let lastAtMs = beganAt;
  while (count < wanted) {
    await sleep(POLL_MS);
    const came = await receivers.take();
    count += came.count;
    lastAtMs = Math.max(lastAtMs, came.lastAtMs);
  }
  await service.close();
  await receivers.close();
  return count / ((lastAtMs - beganAt) / 1_000);
}

/** From the commit of an event to its arrival, at endpoints that are alive. */
async function latencies(world: BenchWorld, options: MeasureOptions, dead: number): Promise<Latencies> {
  const receivers = await startReceivers({ alive: options.endpoints - dead, dead });
  const tenantIds = await registerAll(world, receivers.urls, 1);
  const emitter = await startEmitter({ ...urlsOf(world), tenantIds });
  const service = await startService(world.config);
  const eventsPerSecond = options.offered / options.endpoints;
  await emitter.emit({ eventsPerSecond, seconds: options.warmUpSeconds });
  await settle(receivers);
  const committed = await emitter.emit({ eventsPerSecond, seconds: options.seconds });
  const { latenciesMs, count } = await untilAllCame(receivers, committed.length * (options.endpoints - dead));
  await service.close();
  await emitter.close();
  await receivers.close();
  return {
    deliveriesPerSecond: count / options.seconds,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
  };
}

async function settle(receivers: Receivers): Promise<void> {
  do await sleep(500);
  while ((await receivers.take()).count > 0);
}

async function untilAllCame(receivers: Receivers, wanted: number) {
  const all = { count: 0, latenciesMs: [] as number[] };
  while (all.count < wanted) {
    await sleep(POLL_MS);
    const came = await receivers.take();
    all.count += came.count;
    for (const latency of came.latenciesMs) all.latenciesMs.push(latency);
  }
  return all;
}

function urlsOf({ config }: BenchWorld) {
  return { databaseWorkerUrl: config.databaseWorkerUrl, natsUrl: config.natsUrl };
}
