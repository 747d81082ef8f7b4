import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
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
const TOO_LITTLE = 'too little';
const WATCHED_MS = 25_000;
const LOOK_EVERY_MS = 1_000;
/** Longer than an address that left a name is still called. */
const LEAVING_MS = 4_000;
const OLD = '127.0.0.1';
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
    // The one that calls the services by their names; `npm start` writes addresses.
    const gateway = await startReplica(cairn, 'gateway', {
      ...(await namedAddresses(cairn)),
      CAIRN_METRICS_PORT: String(await findFreePort()),
    });
    started.push(gateway);
    const traffic = await startLoad(cairn, gateway.http);
    const rows: string[][] = [];
    for (const service of SERVICES.filter((each) => positionals.length === 0 || positionals.includes(each))) {
      for (const share of await measureOne(cairn, service, names, started)) {
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

/** The variables of a gateway that name the services, with their names in place of their addresses. */
async function namedAddresses(cairn: RunningCairn): Promise<Record<string, string>> {
  const variables = Object.entries(await cairn.environmentOf('gateway')).flatMap(([variable, value]) => {
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

/** Starts a second replica beside the first one and watches how much of the work it does. */
async function measureOne(cairn: RunningCairn, service: Service, names: Names, started: Replica[]): Promise<Share[]> {
  const counted = { ...REQUESTS, ...BACKGROUND[service] };
  const addresses = JSON.parse(await readFile(join(cairn.dataDir, 'addresses.json'), 'utf8'));
  const metricsPort = await findFreePort();
  const environmentOf = await cairn.environmentOf(service);
  // The name has one port for all addresses.
  const atNew = (variable: string) => environmentOf[variable]!.replace(OLD, NEW);
  const replica = await startReplica(cairn, service, {
    CAIRN_HTTP_LISTEN: atNew('CAIRN_HTTP_LISTEN'),
    CAIRN_GRPC_LISTEN: atNew('CAIRN_GRPC_LISTEN'),
    CAIRN_METRICS_PORT: String(metricsPort),
  });
  started.push(replica);
  await names.set(nameOf(service), [OLD, NEW]);
  const beganMs = performance.now();
  const looks: Look[] = [];
  const urls: string[] = [addresses.metrics[service], `http://${NEW}:${metricsPort}/metrics`];
  while (performance.now() - beganMs < WATCHED_MS) {
    const atMs = performance.now() - beganMs;
    // Metrics are served a moment after requests are.
    const done = await Promise.all(urls.map((url) => readDone(url, counted))).catch(() => null);
    if (done !== null) looks.push({ atMs, done });
    await sleep(LOOK_EVERY_MS);
  }
  await names.set(nameOf(service), [OLD]);
  await sleep(LEAVING_MS);
  await replica.stop();
  return sharesFrom(looks, SHARE_WITHIN_MS, Object.keys(counted));
}

function rowOf(service: Service, { kind, ofFair, counted }: Share): string[] {
  if (ofFair === null) return [service, kind, String(counted), '–', 'not measured'];
  return [service, kind, String(counted), `${Math.round(ofFair * 100)} %`, ofFair >= SHARE_MIN ? 'yes' : TOO_LITTLE];
}

async function report(rows: readonly string[][], failures: number): Promise<void> {
  const body = `## A replica that joins

${environment()}. Command: \`npm run bench -- replicas\`. Under load, a second replica of one service after the other is started and its address added to the service's name; counted is what both did from the tenth second after that on, for 15 s. Fair is half of it. The gateway finds the services by name; gRPC calls from one service to another use the same channel. Failed requests during all of it: ${failures}.

${table(['service', 'work', 'done by both', 'of its fair share', 'at least 80 %'], rows)}`;
  await writeSection(PAGE, 'Cluster', 'replicas', body);
}
