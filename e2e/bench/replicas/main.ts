import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findFreePort } from '@cairn/embedded';
import { environment, type RunningCairn, startCairn, table, writeSection } from '@cairn/testing';
import { type Replica, startReplica } from '../../tests/more-replicas.ts';
import { type NewTenant, operator } from '../../tests/operator.ts';
import { enterOwnNames, type Names, openNames } from './names.ts';
import { type Counted, type Look, readDone, type Share, sharesFrom } from './shares.ts';
import { startTraffic } from './traffic.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'measurements', 'cluster.md');
const SERVICES = ['keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage'] as const;
type Service = (typeof SERVICES)[number];

/** Of each service what it does in the background, beside the requests and gRPC calls of all. */
const BACKGROUND: Record<Service, Counted> = {
  keys: {},
  tenancy: {},
  memory: { documents: /^cairn_ingest_documents_total\{/ },
  research: { 'steps of runs': /^cairn_grpc_client_calls_total\{.*SearchChunks/ },
  webhooks: { deliveries: /^cairn_webhook_attempts_total\{/ },
  usage: { events: /^cairn_events_total\{/ },
};
const REQUESTS: Counted = {
  requests: /^cairn_http_requests_total\{/,
  'gRPC calls': /^cairn_grpc_server_calls_total\{/,
};

/** When a new replica must have its share, and how much of it. */
const SHARE_WITHIN_MS = 10_000;
const SHARE_MIN = 0.8;
const WATCHED_MS = 25_000;
const LOOK_EVERY_MS = 1_000;
const OLD = '127.0.0.2';
const NEW = '127.0.0.3';

const code = await enterOwnNames(import.meta.filename, process.argv.slice(2));
if (code === null) await measure();
else process.exitCode = code;

async function measure(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { 'no-report': { type: 'boolean' } },
    allowPositionals: true,
  });
  const cairn = await startCairn({ env: { CAIRN_ALLOW_PRIVATE_NETWORK: 'true' } });
  const started: Replica[] = [];
  try {
    const names = await openNames();
    const ports = await portsOf(cairn);
    const start = (service: Service | 'gateway', address: string, metrics: number) =>
      startNamed(cairn, service, { address, metrics, ports }).then((replica) => {
        started.push(replica);
        return replica;
      });
    const metrics = new Map<Service, number>();
    for (const service of SERVICES) {
      metrics.set(service, await findFreePort());
      await names.set(nameOf(service), [OLD]);
      await start(service, OLD, metrics.get(service)!);
    }
    const gateway = await start('gateway', '127.0.0.1', await findFreePort());
    const traffic = await startLoad(cairn, gateway.http);
    const rows: string[][] = [];
    for (const service of SERVICES.filter((each) => positionals.length === 0 || positionals.includes(each))) {
      const shares = await measureOne({ service, names, start, oldMetrics: metrics.get(service)! });
      rows.push(...shares.map((share) => rowOf(service, share)));
      process.stdout.write(`${shares.map((share) => rowOf(service, share).join(' | ')).join('\n')}\n`);
    }
    await traffic.stop();
    const isFair = rows.every((row) => row.at(-1) !== 'too little');
    process.exitCode = isFair ? 0 : 1;
    if (values['no-report'] !== true) await report(rows, traffic.failures());
  } finally {
    for (const replica of started) await replica.stop();
    await cairn.remove();
  }
}

function nameOf(service: string): string {
  return `${service}.replicas.test`;
}

/** The ports of the services, by `<service> http` and `<service> grpc`; replicas have the same at other addresses. */
async function portsOf(cairn: RunningCairn): Promise<Map<string, string>> {
  const ports = new Map<string, string>();
  for (const service of SERVICES) {
    const env = await cairn.environmentOf(service);
    ports.set(`${service} http`, env['CAIRN_HTTP_LISTEN']!.split(':')[1]!);
    ports.set(`${service} grpc`, env['CAIRN_GRPC_LISTEN']!.split(':')[1]!);
  }
  return ports;
}

async function startNamed(
  cairn: RunningCairn,
  service: Service | 'gateway',
  { address, metrics, ports }: { address: string; metrics: number; ports: ReadonlyMap<string, string> },
): Promise<Replica> {
  const changes: Record<string, string> = { CAIRN_METRICS_PORT: String(metrics) };
  for (const [variable, value] of Object.entries(await cairn.environmentOf(service))) {
    for (const other of SERVICES) {
      if (variable === `CAIRN_${other.toUpperCase()}_GRPC`)
        changes[variable] = `${nameOf(other)}:${ports.get(`${other} grpc`)!}`;
      if (variable === `CAIRN_${other.toUpperCase()}_HTTP`)
        changes[variable] = value.replace(/\/\/[^:/]+/, `//${nameOf(other)}`);
    }
  }
  if (service === 'gateway') return startReplica(cairn, service, changes);
  return startReplica(cairn, service, {
    ...changes,
    CAIRN_HTTP_LISTEN: `${address}:${ports.get(`${service} http`)!}`,
    CAIRN_GRPC_LISTEN: `${address}:${ports.get(`${service} grpc`)!}`,
  });
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

interface Measured {
  service: Service;
  names: Names;
  start: (service: Service, address: string, metrics: number) => Promise<Replica>;
  oldMetrics: number;
}

/** Starts a second replica beside the first one and watches how much of the work it does. */
async function measureOne({ service, names, start, oldMetrics }: Measured): Promise<Share[]> {
  const counted = { ...REQUESTS, ...BACKGROUND[service] };
  const newMetrics = await findFreePort();
  const replica = await start(service, NEW, newMetrics);
  await names.set(nameOf(service), [OLD, NEW]);
  const beganMs = performance.now();
  const looks: Look[] = [];
  while (performance.now() - beganMs < WATCHED_MS) {
    const urls = [`http://${OLD}:${oldMetrics}/metrics`, `http://${NEW}:${newMetrics}/metrics`];
    const atMs = performance.now() - beganMs;
    looks.push({ atMs, done: await Promise.all(urls.map((url) => readDone(url, counted))) });
    await sleep(LOOK_EVERY_MS);
  }
  await names.set(nameOf(service), [OLD]);
  await sleep(3_000);
  await replica.stop();
  return sharesFrom(looks, SHARE_WITHIN_MS, Object.keys(counted));
}

function rowOf(service: Service, { kind, ofFair, counted }: Share): string[] {
  if (ofFair === null) return [service, kind, String(counted), '–', 'not measured'];
  return [service, kind, String(counted), `${Math.round(ofFair * 100)} %`, ofFair >= SHARE_MIN ? 'yes' : 'too little'];
}

async function report(rows: readonly string[][], failures: number): Promise<void> {
  const body = `## A replica that joins

${environment()}. Command: \`npm run bench -- replicas\`. Under load, a second replica of one service after the other is started and its address added to the service's name; counted is what both did from the tenth second after that on, for 15 s. Fair is half of it. Of requests and gRPC calls, only those by name are counted. Failed requests during all of it: ${failures}.

${table(['service', 'work', 'done by both', 'of its fair share', 'at least 80 %'], rows)}`;
  await writeSection(PAGE, 'Cluster', 'replicas', body);
}
