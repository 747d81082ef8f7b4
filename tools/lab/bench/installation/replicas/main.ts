import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findFreePort } from '@cairn/embedded';
import { type RunningCairn, startCairn } from '@cairn/testing';
import { environment, table, writeSection } from '../../../measurement/page.ts';
import { type Replica, startReplica } from '../../../../../e2e/tests/more-replicas.ts';
import { type NewTenant, operator } from '../../../../../e2e/tests/operator.ts';
import { enterOwnNames, type HostNames, openNames } from './names.ts';
import { type CountedWork, type WorkSnapshot, readDone, type Share, sharesFrom } from './shares.ts';
import { type Backlog, startTraffic, type Traffic } from './traffic.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', '..', '..', 'docs', 'measurements', 'cluster.md');
/** Memory last, as what it is handed in at once is worked on for a while. */
const SERVICES = ['keys', 'tenancy', 'research', 'webhooks', 'usage', 'memory'] as const;
/** Those that call others by gRPC; of each one process finds them by name. */
const CALLERS = ['keys', 'tenancy', 'memory', 'research'] as const;
type Service = (typeof SERVICES)[number];

/** Of each service what it does in the background, beside the requests and gRPC calls of all. */
const BACKGROUND: Record<Service, CountedWork> = {
  keys: {},
  tenancy: {},
  memory: { documents: /^cairn_ingest_documents_total\{/ },
  research: { 'steps of runs': /^cairn_grpc_client_calls_total\{.*SearchChunks/ },
  webhooks: { deliveries: /^cairn_webhook_attempts_total\{/ },
  usage: { events: /^cairn_events_total\{/ },
};
/** Calls of the gRPC interfaces of each service that are called all the time. */
const CALLS_OF: Record<Service, RegExp> = {
  keys: /^cairn_grpc_client_calls_total\{.*"(?:KeysService|AllowanceService|KeysTenancyService)\//,
  tenancy:
    /^cairn_grpc_client_calls_total\{.*"(?:TenancyService|ProviderKeyService|EngineDirectoryService|MemorySettingsService|TenantDirectoryService)\//,
  memory: /^cairn_grpc_client_calls_total\{.*"(?:MemoryReadService|MemoryMoveService|MemoryStoreService)\//,
  research: /^cairn_grpc_client_calls_total\{.*"ResearchFeaturesService\//,
  webhooks: /^cairn_grpc_client_calls_total\{.*"WebhookUseService\//,
  usage: /^cairn_grpc_client_calls_total\{.*"(?:ChargeService|CreditUseService)\//,
};
const CALLS = 'gRPC calls';
const REQUESTS: CountedWork = {
  requests: /^cairn_http_requests_total\{/,
  [CALLS]: /^cairn_grpc_server_calls_total\{/,
};
/** Where a queue that is empty most of the time would say which process is the quicker one. */
const BACKLOGS: Partial<Record<Service, { of: Backlog; waiting: CountedWork }>> = {
  memory: { of: 'documents', waiting: { waiting: /^cairn_queue_waiting\{.*"ingest"/ } },
  research: { of: 'runs', waiting: { waiting: /^cairn_queue_waiting\{.*"research_runs"/ } },
};

/** When a new replica must have its share, and how much of it. */
const SHARE_WITHIN_MS = 10_000;
const SHARE_MIN = 0.8;
const TOO_LITTLE = 'too little';
const WATCHED_MS = 25_000;
const LOOK_EVERY_MS = 1_000;
/** Longer than an address that left a name is still called. */
const LEAVING_MS = 4_000;
const OLD = '127.0.0.1';
const CALLER = '127.0.0.3';
const NEW = '127.0.0.2';

const code = await enterOwnNames(import.meta.filename, process.argv.slice(2));
if (code === null) await measure();
else process.exitCode = code;

async function measure(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { 'no-report': { type: 'boolean' } },
    allowPositionals: true,
  });
  const cairn = await startCairn({ env: { CAIRN_ALLOW_PRIVATE_NETWORK: 'true', CAIRN_METRICS_PORT: '0' } });
  const started: Replica[] = [];
  try {
    const names = await openNames();
    for (const service of SERVICES) await names.set(nameOf(service), [OLD]);
    // Those that call the services by their names; `npm start` writes addresses.
    const metricsOf = new Map<string, string>();
    for (const caller of CALLERS) {
      started.push(await startAt(CALLER, cairn, caller, metricsOf));
      await names.set(nameOf(caller), [OLD, CALLER]);
    }
    const gatewayMetrics = await findFreePort();
    const gateway = await startReplica(cairn, 'gateway', {
      ...(await namedAddresses(cairn, 'gateway')),
      CAIRN_METRICS_PORT: String(gatewayMetrics),
    });
    started.push(gateway);
    metricsOf.set('gateway', `http://${OLD}:${gatewayMetrics}/metrics`);
    const traffic = await startLoad(cairn, gateway.http);
    const rows: string[][] = [];
    for (const service of SERVICES.filter((each) => positionals.length === 0 || positionals.includes(each))) {
      for (const share of await measureOne({ cairn, names, started, traffic, metricsOf }, service)) {
        rows.push(rowOf(service, share));
        process.stdout.write(`${rows.at(-1)!.join(' | ')}\n`);
      }
    }
    await traffic.stop();
    process.stdout.write(`failed requests: ${traffic.failures()}\n`);
    process.exitCode = rows.every((row) => row.at(-1) !== TOO_LITTLE) ? 0 : 1;
    if (values['no-report'] !== true) await report(rows, traffic.failures());
  } finally {
    for (const replica of started) await replica.stop();
    await cairn.remove();
  }
}

function nameOf(service: string): string {
  return `${service}.replicas.test`;
}

/** The variables of a service that name others, with their names in place of their addresses. */
async function namedAddresses(cairn: RunningCairn, of: Service | 'gateway'): Promise<Record<string, string>> {
  const variables = Object.entries(await cairn.environmentOf(of)).flatMap(([variable, value]) => {
    const service = /^CAIRN_([A-Z]+)_(?:GRPC|HTTP)$/.exec(variable)?.[1]?.toLowerCase();
    const isNamed = service !== undefined && (SERVICES as readonly string[]).includes(service);
    return isNamed ? [[variable, value.replace(OLD, nameOf(service))]] : [];
  });
  return Object.fromEntries(variables);
}

async function startLoad(cairn: RunningCairn, gatewayUrl: string) {
  const receiver = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  receiver.unref();
  const { api_key: apiKey, tenant_id: tenantId } = await operator<NewTenant>(
    cairn,
    ...['tenant', 'create', '--name', 'Replicas', '--plan', 'enterprise'],
  );
  const outboxUrl = (await cairn.environmentOf('memory'))['DATABASE_URL']!;
  const hookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  return startTraffic({ gatewayUrl, apiKey, tenantId, outboxUrl, hookUrl });
}

/** Starts a process of a service at an address, with the ports of the first one, which finds the others by name. */
async function startAt(
  address: string,
  cairn: RunningCairn,
  service: Service,
  metricsOf: Map<string, string>,
): Promise<Replica> {
  const variables = await cairn.environmentOf(service);
  // The name has one port for all addresses.
  const at = (variable: string) => variables[variable]!.replace(OLD, address);
  const metricsPort = await findFreePort();
  metricsOf.set(service, `http://${address}:${metricsPort}/metrics`);
  return startReplica(cairn, service, {
    ...(await namedAddresses(cairn, service)),
    CAIRN_HTTP_LISTEN: at('CAIRN_HTTP_LISTEN'),
    CAIRN_GRPC_LISTEN: at('CAIRN_GRPC_LISTEN'),
    CAIRN_METRICS_PORT: String(metricsPort),
  });
}

interface Watched {
  cairn: RunningCairn;
  names: HostNames;
  started: Replica[];
  traffic: Traffic;
  /** Of the processes that call by name, by service. */
  metricsOf: ReadonlyMap<string, string>;
}

/** Starts one more replica beside those that are there and watches how much of the work it does. */
async function measureOne({ cairn, names, started, traffic, metricsOf }: Watched, service: Service): Promise<Share[]> {
  const counted = { ...REQUESTS, ...BACKGROUND[service] };
  const addresses = JSON.parse(await readFile(join(cairn.dataDir, 'addresses.json'), 'utf8'));
  const own = new Map<string, string>();
  const replica = await startAt(NEW, cairn, service, own);
  started.push(replica);
  const before = metricsOf.has(service) ? [OLD, CALLER] : [OLD];
  await names.set(nameOf(service), [...before, NEW]);
  const beganMs = performance.now();
  const backlog = BACKLOGS[service];
  const urls: string[] = [addresses.metrics[service], ...(before.length > 1 ? [metricsOf.get(service)!] : [])];
  const watched = new AbortController();
  const countWaiting = async () => (await readDone(urls[0]!, backlog!.waiting))['waiting']!;
  const handedIn = backlog === undefined ? null : traffic.keepWaiting(backlog.of, countWaiting, watched.signal);
  urls.push(own.get(service)!);
  const calls = { [CALLS]: CALLS_OF[service] };
  const looks: WorkSnapshot[] = [];
  while (performance.now() - beganMs < WATCHED_MS) {
    const atMs = performance.now() - beganMs;
    // Metrics are served a moment after requests are.
    await Promise.all([
      Promise.all(urls.map((url) => readDone(url, counted))),
      Promise.all([...metricsOf.values()].map((url) => readDone(url, calls))),
    ])
      .then(([done, made]) => looks.push({ atMs, done, called: made.reduce((sum, one) => sum + one[CALLS]!, 0) }))
      .catch(() => undefined);
    await sleep(LOOK_EVERY_MS);
  }
  watched.abort();
  await handedIn;
  await names.set(nameOf(service), before);
  await sleep(LEAVING_MS);
  await replica.stop();
  const shares = sharesFrom(looks, SHARE_WITHIN_MS, Object.keys(counted), CALLS);
  if (shares.some(({ ofFair }) => ofFair !== null && ofFair < SHARE_MIN))
    for (const look of looks) process.stdout.write(`${JSON.stringify(look)}\n`);
  return shares;
}

function rowOf(service: Service, { kind, ofFair, counted }: Share): string[] {
  if (ofFair === null) return [service, kind, String(counted), '–', 'not measured'];
  return [service, kind, String(counted), `${Math.round(ofFair * 100)} %`, ofFair >= SHARE_MIN ? 'yes' : TOO_LITTLE];
}

async function report(rows: readonly string[][], failures: number): Promise<void> {
  const body = `## A replica that joins

${environment()}. Command: \`npm run bench -- replicas\`. The machine is shared with other work. Under load, one more replica of one service after the other is started and its address added to the service's name; counted is what all processes of the service did from the tenth second after that on, for 15 s. Fair is as much for each. The gateway and one process each of keys, tenancy, memory and research find the services by name; gRPC calls are those that they made. Every process runs what \`npm start\` runs, in a session of its own. Documents and runs are taken by whichever process has room, so more is handed in whenever little waits; all documents are of one memory. Failed requests during all of it: ${failures}.

${table(['service', 'work', 'done by both', 'of its fair share', 'at least 80 %'], rows)}`;
  await writeSection(PAGE, 'Cluster', 'replicas', body);
}
