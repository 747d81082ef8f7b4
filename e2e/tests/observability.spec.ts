import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  CAIRN_COMMAND,
  eventually,
  type RunningCairn,
  startCairn,
  startTraceReceiver,
  type TraceReceiver,
} from '@cairn/testing';
import { databaseOf } from './installation-state.ts';

const SOON_MS = 60_000;
const SECRET_TEXT = 'The vault code of the harbour office is heron-4417.';

let cairn: RunningCairn;
let traces: TraceReceiver;
let addresses: { metrics: Record<string, string> };
const delivered: Record<string, unknown>[] = [];
const receiver = createServer((request, response) => {
  delivered.push({ ...request.headers });
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  traces = await startTraceReceiver();
  cairn = await startCairn({
    env: {
      CAIRN_ALLOW_PRIVATE_NETWORK: 'true',
      CAIRN_METRICS_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      OTEL_TRACES_SAMPLER_ARG: '1',
    },
  });
  addresses = JSON.parse(await readFile(join(cairn.dataDir, 'addresses.json'), 'utf8'));
}, 120_000);
afterAll(async () => {
  await cairn.remove();
  await traces.close();
  receiver.close();
});

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(`${cairn.baseUrl}${path}`, {
    method,
    headers: { 'x-api-key': cairn.apiKey, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

it('one trace leads from a request to ingest through every service to the delivery of its webhook', async () => {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  expect((await call('POST', '/api/v1/webhooks', { url, events: ['memory.ingest.completed'] })).status).toBe(201);
  const callers = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const accepted = await call(
    'POST',
    '/api/v1/memory/documents',
    { content: SECRET_TEXT },
    { traceparent: callers, tracestate: 'vendor=x' },
  );
  expect(accepted.status).toBe(202);
  const find = (service: string, name: string) =>
    traces.spans.find((span) => span.service === `cairn-${service}` && span.name === name);
  await eventually(
    () => find('webhooks', 'deliver webhook'),
    (span) => span !== undefined,
    SOON_MS,
  );

  // Each service exports by itself, so parents may come after their children.
  const root = await eventually(
    () => find('gateway', 'POST /api/v1/memory/documents'),
    (span) => span !== undefined,
    SOON_MS,
  );
  const inTrace = () => traces.spans.filter((span) => span.traceId === root!.traceId);
  const pathTo = (name: string) => {
    const trace = inTrace();
    const byId = new Map(trace.map((span) => [span.spanId, span]));
    const path: string[] = [];
    for (let at = trace.find((span) => span.name === name); at !== undefined; at = byId.get(at.parentSpanId))
      path.unshift(`${at.service.slice('cairn-'.length)}: ${at.name}`);
    return path;
  };
  const delivered = await eventually(
    () => pathTo('deliver webhook'),
    (path) => path.length >= 5,
    SOON_MS,
  );
  expect(delivered).toEqual([
    'gateway: POST /api/v1/memory/documents',
    'memory: POST /api/v1/memory/documents',
    'memory: ingest document',
    'memory: publish event',
    'webhooks: deliver webhook',
  ]);
  // Statements and calls are part of it, under their names.
  expect(pathTo('ingest_enqueue')).toEqual([
    'gateway: POST /api/v1/memory/documents',
    'memory: POST /api/v1/memory/documents',
    'memory: ingest_enqueue',
  ]);
  expect(inTrace().map((span) => span.name)).toContain('process webhooks');
  expect(traces.spans.map((span) => span.name)).toContain('cairn.keys.v1.KeysService/Resolve');
  // The caller decides nothing: its trace is only linked to.
  expect(root!.parentSpanId).toBe('');
  expect(root!.links).toEqual([{ traceId: callers.split('-')[1], spanId: callers.split('-')[2] }]);
  expect(root!.attributes['cairn.request_id']).toBe(accepted.headers.get('x-request-id'));
});

it('no span holds what a tenant has written, a credential, or a parameter of a statement', () => {
  expect(traces.raw()).toContain('POST /api/v1/memory/documents');
  for (const secret of ['heron-4417', cairn.apiKey, cairn.tenantId]) expect(traces.raw()).not.toContain(secret);
});

it('the receiver of a webhook is not told of the trace', () => {
  expect(delivered.length).toBeGreaterThan(0);
  for (const headers of delivered) expect(Object.keys(headers)).not.toContain('traceparent');
});

it('what a service logs about a traced request names the trace', async () => {
  const { key_id } = (await (await call('POST', '/api/v1/api-keys', { name: 'short-lived' })).json()) as {
    key_id: string;
  };
  const revoked = await call('DELETE', `/api/v1/api-keys/${key_id}`);
  const requestId = revoked.headers.get('x-request-id');
  const root = await eventually(
    () => traces.spans.find((span) => span.parentSpanId === '' && span.attributes['cairn.request_id'] === requestId),
    (span) => span !== undefined,
    SOON_MS,
  );
  const log = await readFile(join(cairn.dataDir, 'logs', 'keys.log'), 'utf8');
  const lines = log.split('\n').filter((line) => line.includes('credentials invalidated'));
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ trace_id: root!.traceId });
});

it('every metric that the dashboard and the rules name is one that a service shows', async () => {
  const shown = await readAllMetrics();
  const folder = join(import.meta.dirname, '..', '..', 'deploy', 'observability');
  const files = await Promise.all(['dashboard.json', 'rules.yaml'].map((file) => readFile(join(folder, file), 'utf8')));
  const named = new Set(files.join('\n').match(/\b(?:cairn|nodejs|process)_[a-z0-9_]+/g));
  expect(named.size).toBeGreaterThan(40);
  const known = new Set(
    [...shown.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) => seriesOf(name!, type!)),
  );
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
});

it('the metrics are not on the public port, and name no tenant', async () => {
  expect((await fetch(`${cairn.baseUrl}/metrics`)).status).toBe(404);
  const shown = await readAllMetrics();
  expect(shown).toContain('cairn_gateway_requests_total{operation="ingestDocuments",status="202",component="gateway"}');
  expect(shown).not.toContain(cairn.tenantId);
  expect(shown).not.toMatch(/"(?:key|ws|mem|spc|vlt|thr|doc|whk)_\w+"/);
});

it('queues, outboxes and consumers are shown by the services that own them', async () => {
  const shown = await readAllMetrics();
  for (const series of [
    'cairn_queue_waiting{queue="ingest",component="memory"}',
    'cairn_queue_waiting{queue="embedding",component="memory"}',
    'cairn_queue_waiting{queue="webhook_deliveries",component="webhooks"}',
    'cairn_queue_waiting{queue="research_runs",component="research"}',
    'cairn_queue_waiting{queue="tenancy_jobs",component="tenancy"}',
    'cairn_queue_waiting{queue="revocations",component="keys"}',
    'cairn_outbox_oldest_seconds{component="memory"}',
    'cairn_consumer_pending{durable="webhooks",component="webhooks"}',
    'cairn_broker_connected{component="memory"} 1',
    'cairn_lease_remaining_seconds{component="gateway"}',
  ])
    expect(shown).toContain(series);
});

it('the doctor finds nothing wrong with an installation that is well, and what was broken in one that is not', async () => {
  expect(await doctor()).toMatchObject({ exitCode: 0, wrong: [] });
  const database = await databaseOf(cairn);
  try {
    await database.query('ALTER TABLE memory.documents NO FORCE ROW LEVEL SECURITY');
    await database.query('ALTER ROLE keys_app BYPASSRLS');
    await database.query("UPDATE webhooks.schema_migrations SET name = 'x' WHERE name = '0006_event_trace.sql'");
    expect(await doctor()).toEqual({ exitCode: 1, wrong: ['migrations webhooks', 'roles', 'row security'] });
  } finally {
    await database.query('ALTER TABLE memory.documents FORCE ROW LEVEL SECURITY');
    await database.query('ALTER ROLE keys_app NOBYPASSRLS');
    await database.query("UPDATE webhooks.schema_migrations SET name = '0006_event_trace.sql' WHERE name = 'x'");
    await database.end();
  }
});

/** Runs `cairn doctor --json`: its exit code, and the checks that failed. */
async function doctor(): Promise<{ exitCode: number | null; wrong: string[] }> {
  const child = spawn(process.execPath, [CAIRN_COMMAND, 'doctor', '--json'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], CAIRN_DATA_DIR: cairn.dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  const { findings } = JSON.parse(printed) as { findings: { check: string; status: string }[] };
  const wrong = findings.filter(({ status }) => status === 'failed').map(({ check }) => check);
  return { exitCode, wrong: wrong.sort() };
}

async function readAllMetrics(): Promise<string> {
  const texts = Object.values(addresses.metrics).map(async (url) => (await fetch(url)).text());
  return (await Promise.all(texts)).join('\n');
}

function seriesOf(name: string, type: string): string[] {
  if (type === 'histogram') return [`${name}_bucket`, `${name}_sum`, `${name}_count`];
  return type === 'summary' ? [name, `${name}_sum`, `${name}_count`] : [name];
}
