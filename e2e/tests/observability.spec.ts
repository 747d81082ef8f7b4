import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, type RunningCairn, startCairn, startTraceReceiver, type TraceReceiver } from '@cairn/testing';
import { ingest } from './api.ts';

const SOON_MS = 30_000;
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

  const root = find('gateway', 'POST /api/v1/memory/documents')!;
  const trace = await eventually(
    () => traces.spans.filter((span) => span.traceId === root.traceId),
    (spans) => spans.length > 10,
    SOON_MS,
  );
  const byId = new Map(trace.map((span) => [span.spanId, span]));
  const pathTo = (name: string) => {
    const path: string[] = [];
    for (let at = trace.find((span) => span.name === name); at !== undefined; at = byId.get(at.parentSpanId))
      path.unshift(`${at.service.slice('cairn-'.length)}: ${at.name}`);
    return path;
  };
  expect(pathTo('deliver webhook')).toEqual([
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
  expect(trace.map((span) => span.name)).toContain('process webhooks');
  expect(traces.spans.map((span) => span.name)).toContain('cairn.keys.v1.KeysService/Resolve');
  // The caller decides nothing: its trace is only linked to.
  expect(root.parentSpanId).toBe('');
  expect(root.links).toEqual([{ traceId: callers.split('-')[1], spanId: callers.split('-')[2] }]);
  expect(root.attributes['cairn.request_id']).toBe(accepted.headers.get('x-request-id'));
});

it('no span holds what a tenant has written, a credential, or a parameter of a statement', () => {
  expect(traces.raw()).toContain('POST /api/v1/memory/documents');
  for (const secret of ['heron-4417', cairn.apiKey, cairn.tenantId]) expect(traces.raw()).not.toContain(secret);
});

it('the receiver of a webhook is not told of the trace', () => {
  expect(delivered.length).toBeGreaterThan(0);
  for (const headers of delivered) expect(Object.keys(headers)).not.toContain('traceparent');
});

it('a line of a log names the trace that it belongs to', async () => {
  await call('GET', '/api/v1/nothing');
  const log = await readFile(join(cairn.dataDir, 'logs', 'memory.log'), 'utf8');
  expect(log).not.toBe('');
});

it('shows', async () => {
  await ingest(cairn.baseUrl, cairn.apiKey, [{ content: 'A second note.' }], { timeoutMs: SOON_MS });
  for (const [name, url] of Object.entries(addresses.metrics)) {
    const text = await (await fetch(url)).text();
    console.log(
      name,
      text.split('\n').filter((l) => l.startsWith('# TYPE')).length,
      '\n',
      text
        .split('\n')
        .filter((l) => l.startsWith('cairn_') && !/_bucket/.test(l))
        .join('\n'),
    );
  }
});
