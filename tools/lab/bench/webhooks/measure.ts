import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@cairn/contracts';
import { quantile } from '../../measurement/quantile.ts';
import { baselineDeliveriesPerSecond } from './baseline-sender.ts';
import { type BenchEnvironment, startBenchEnvironment } from './bench-environment.ts';
import { type Receivers, startEmitter, startReceivers, startService } from './processes.ts';

interface MeasureOptions {
  endpoints: number;
  /** Of the endpoints, in the second latency run. */
  dead: number;
  /** Deliveries that wait when the service starts. */
  backlog: number;
  /** Deliveries a second that are offered while latencies are taken. */
  offered: number;
  seconds: number;
  warmUpSeconds: number;
  /** Of the flooding tenant, each for a hundred webhooks. */
  floodEvents: number;
}

interface Latencies {
  deliveriesPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface WebhookMeasurement {
  options: MeasureOptions;
  /** The peer that keeps nothing. */
  bare: number;
  /** Working off a backlog to hosts that accept: tenants with ten endpoints each, and a tenant for every endpoint. */
  fanOut: number;
  /** The first by two processes of the service. */
  fanOutByTwo: number;
  singles: number;
  /** The same to one host, up to its ceiling. */
  oneHost: number;
  /** Deliveries in each second to a host that nobody has sent to before. */
  newHost: number[];
  /** Healthy endpoints alone, beside dead ones, and beside the flood of another tenant. */
  healthy: Latencies;
  besideDead: Latencies;
  besideFlood: Latencies;
  /** What the flood's receiver was sent a second meanwhile, at most. */
  floodPerSecondMax: number;
}

type Say = (line: string) => void;

const POLL_MS = 100;
const BARE_SECONDS = 5;
const BARE_AT_ONCE = 64;
const ENDPOINTS_PER_TENANT = 10;
/** As many as a tenant may have. */
const FLOOD_WEBHOOKS = 100;

export async function measure(options: MeasureOptions, say: Say): Promise<WebhookMeasurement> {
  const receivers = await startReceivers({ alive: options.endpoints, dead: 0 });
  const bare = await baselineDeliveriesPerSecond(receivers.urls, BARE_SECONDS, BARE_AT_ONCE);
  say(`bare loop that keeps nothing: ${bare.toFixed(0)} deliveries/s`);
  await receivers.close();
  const tenants = Math.max(1, Math.round(options.endpoints / ENDPOINTS_PER_TENANT));
  const fanOut = await inEnvironment((environment) => workOff(environment, options, { tenants, oneHost: false }));
  say(`backlog, ${tenants} tenants: ${fanOut.toFixed(0)} deliveries/s`);
  const fanOutByTwo = await inEnvironment((environment) =>
    workOff(environment, options, { tenants, oneHost: false, processes: 2 }),
  );
  say(`the same by two processes: ${fanOutByTwo.toFixed(0)} deliveries/s`);
  const singles = await inEnvironment((environment) =>
    workOff(environment, options, { tenants: options.endpoints, oneHost: false }),
  );
  say(`backlog, a tenant for each endpoint: ${singles.toFixed(0)} deliveries/s`);
  const few = { ...options, backlog: Math.ceil(options.backlog / 5) };
  const oneHost = await inEnvironment((environment) =>
    workOff(environment, few, { tenants: options.endpoints, oneHost: true }),
  );
  say(`backlog, all endpoints on one host: ${oneHost.toFixed(0)} deliveries/s`);
  const newHost = await inEnvironment((environment) => growth(environment, options));
  say(`a new host, second by second: ${newHost.join(' ')}`);
  const healthy = await inEnvironment((environment) => latencies(environment, options, { dead: 0, flood: false }));
  sayLatencies(say, 'healthy', healthy);
  const besideDead = await inEnvironment((environment) =>
    latencies(environment, options, { dead: options.dead, flood: false }),
  );
  sayLatencies(say, `beside ${options.dead} dead ones`, besideDead);
  const besideFlood = await inEnvironment((environment) => latencies(environment, options, { dead: 0, flood: true }));
  sayLatencies(say, 'beside a flood', besideFlood);
  const { floodPerSecondMax } = besideFlood;
  return {
    options,
    bare,
    fanOut,
    fanOutByTwo,
    singles,
    oneHost,
    newHost,
    healthy,
    besideDead,
    besideFlood,
    floodPerSecondMax,
  };
}

/** A part of each kind, one after the other in one environment: shows that the measurement works, and measures nothing. */
export function measureSmoke(options: MeasureOptions): Promise<{ oneHost: number; besideAll: Latencies }> {
  return inEnvironment(async (environment) => ({
    oneHost: await workOff(environment, options, { tenants: options.endpoints, oneHost: true }),
    besideAll: await latencies(environment, options, { dead: options.dead, flood: true }),
  }));
}

function sayLatencies(say: Say, what: string, { p50Ms, p99Ms, deliveriesPerSecond }: Latencies): void {
  say(`${what}: p50 ${p50Ms} ms, p99 ${p99Ms} ms at ${deliveriesPerSecond.toFixed(0)}/s`);
}

async function inEnvironment<T>(work: (environment: BenchEnvironment) => Promise<T>): Promise<T> {
  const environment = await startBenchEnvironment();
  try {
    return await work(environment);
  } finally {
    await environment.remove();
  }
}

async function registerAll(environment: BenchEnvironment, urls: readonly string[], tenants: number): Promise<string[]> {
  const tenantIds = Array.from({ length: tenants }, () => newId('tenant'));
  for (const [n, url] of urls.entries()) {
    await environment.register(tenantIds[n % tenants]!, url);
    await environment.prove(tenantIds[n % tenants]!, url);
  }
  return tenantIds;
}

/** Deliveries a second while a backlog in the stream is worked off, from the first arrival to the last. */
async function workOff(
  environment: BenchEnvironment,
  options: MeasureOptions,
  { tenants, oneHost, processes = 1 }: { tenants: number; oneHost: boolean; processes?: number },
): Promise<number> {
  const receivers = await startReceivers({ alive: options.endpoints, dead: 0, oneHost });
  const tenantIds = await registerAll(environment, receivers.urls, tenants);
  const emitter = await startEmitter({ ...urlsOf(environment), tenantIds });
  const perEvent = options.endpoints / tenants;
  const events = Math.ceil(options.backlog / perEvent);
  let committed = 0;
  while (committed < events)
    committed += (await emitter.emit({ eventsPerSecond: Math.max(200, events), seconds: 1 })).length;
  while ((await environment.ask('SELECT 1 FROM outbox LIMIT 1')).length > 0) await sleep(POLL_MS);
  await emitter.close();
  const services = await Promise.all(Array.from({ length: processes }, () => startService(environment.config)));
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
  for (const service of services) await service.close();
  await receivers.close();
  return count / ((lastAtMs - beganAt) / 1_000);
}

/** What a host is sent that nobody has sent to before, second by second, while much waits for it. */
async function growth(environment: BenchEnvironment, options: MeasureOptions): Promise<number[]> {
  const receivers = await startReceivers({ alive: 1, dead: 0 });
  const tenantId = newId('tenant');
  await environment.register(tenantId, receivers.urls[0]!);
  const emitter = await startEmitter({ ...urlsOf(environment), tenantIds: [tenantId] });
  await emitter.emit({ eventsPerSecond: options.backlog / 3, seconds: 1 });
  const service = await startService(environment.config);
  const perSecond: number[] = [];
  while ((await receivers.take()).count === 0) await sleep(POLL_MS);
  for (let second = 0; second < options.seconds; second += 1) {
    await sleep(1_000);
    perSecond.push((await receivers.take()).count);
  }
  await service.close();
  await emitter.close();
  await receivers.close();
  return perSecond;
}

/** From the commit of an event to its arrival, at endpoints that are alive. */
async function latencies(
  environment: BenchEnvironment,
  options: MeasureOptions,
  { dead, flood }: { dead: number; flood: boolean },
): Promise<Latencies & { floodPerSecondMax: number }> {
  const receivers = await startReceivers({ alive: options.endpoints - dead, dead });
  const tenants = Math.max(1, Math.round(options.endpoints / ENDPOINTS_PER_TENANT));
  const tenantIds = await registerAll(environment, receivers.urls, tenants);
  const emitter = await startEmitter({ ...urlsOf(environment), tenantIds });
  const service = await startService(environment.config);
  const eventsPerSecond = (options.offered / options.endpoints) * tenants;
  await emitter.emit({ eventsPerSecond, seconds: options.warmUpSeconds });
  await settle(receivers);
  const flooding = flood ? await startFlood(environment, options.floodEvents) : null;
  const committed = await emitter.emit({ eventsPerSecond, seconds: options.seconds });
  const perTenant = tenantIds.map((_tenantId, n) => aliveOf(options.endpoints - dead, tenants, n));
  const wanted = committed.reduce((sum, _id, n) => sum + perTenant[n % tenants]!, 0);
  const { latenciesMs, count } = await untilAllCame(receivers, wanted);
  const floodPerSecondMax = (await flooding?.end()) ?? 0;
  await service.close();
  await emitter.close();
  await receivers.close();
  return {
    deliveriesPerSecond: count / options.seconds,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    floodPerSecondMax,
  };
}

/** Endpoints are dealt to the tenants one by one; the first ones are alive. */
function aliveOf(alive: number, tenants: number, tenant: number): number {
  return Math.floor(alive / tenants) + (tenant < alive % tenants ? 1 : 0);
}

/** Everything that one tenant can ask for at once; ends with the most that its receiver was sent in a second. */
async function startFlood(environment: BenchEnvironment, events: number): Promise<{ end(): Promise<number> }> {
  const receiver = await startReceivers({ alive: 1, dead: 0, oneHost: true });
  const tenantId = newId('tenant');
  for (let n = 0; n < FLOOD_WEBHOOKS; n += 1) await environment.register(tenantId, `${receiver.urls[0]!}/${n}`);
  const emitter = await startEmitter({ ...urlsOf(environment), tenantIds: [tenantId] });
  const emitted = emitter.emit({ eventsPerSecond: events, seconds: 1 });
  let most = 0;
  let ended = false;
  const counting = (async () => {
    while (!ended) {
      await sleep(1_000);
      most = Math.max(most, (await receiver.take()).count);
    }
  })();
  return {
    async end() {
      ended = true;
      await Promise.all([counting, emitted]);
      await emitter.close();
      await receiver.close();
      return most;
    },
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

function urlsOf({ config }: BenchEnvironment) {
  return { databaseWorkerUrl: config.databaseWorkerUrl, natsUrl: config.natsUrl };
}
